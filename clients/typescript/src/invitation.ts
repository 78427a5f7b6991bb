/** An invitation in the form of a challenge, so that a bot judges both alike. */
import { create } from "@bufbuild/protobuf";
import {
  ChallengeSchema,
  Challenge_State,
  RatedPlayerSchema,
  type Challenge,
} from "./generated/brettwerk/v1/opponents_pb";
import { Session_State, type Session } from "./generated/brettwerk/v1/sessions_pb";

/**
 * Returns the challenge that a table amounts to at which seats are kept; undefined if it keeps none, or does not wait any more.
 *
 * Those who sit there challenge. It has the id of the session, and none of a challenge.
 */
export function asChallenge(session: Session | undefined): Challenge | undefined {
  if (session?.state !== Session_State.WAITING) return undefined;
  const kept = new Set(
    session.seats.filter((seat) => !seat.occupant && seat.keptFor !== "").map((seat) => seat.keptFor),
  );
  if (kept.size === 0) return undefined;
  const kinds = session.seats.flatMap(({ occupant }) => (occupant ? [occupant.kind] : []));
  const challenger = kinds.flatMap((kind) => (kind.case === "person" ? [kind.value] : []))[0];
  const { game, options, clock, competitive, createdAtMs, id: sessionId } = session;
  const [challenged] = kept;
  return create(ChallengeSchema, {
    game,
    competitive,
    sessionId,
    createdAtMs,
    state: Challenge_State.OPEN,
    computers: kinds.flatMap((kind) => (kind.case === "computer" ? [kind.value] : [])),
    ...(options && { options }),
    ...(clock && { clock }),
    ...(challenger && {
      challenger: create(RatedPlayerSchema, {
        playerId: challenger.playerId,
        name: challenger.name,
        bot: challenger.bot,
      }),
    }),
    ...(kept.size === 1 && { challenged: create(RatedPlayerSchema, { playerId: challenged ?? "" }) }),
  });
}
