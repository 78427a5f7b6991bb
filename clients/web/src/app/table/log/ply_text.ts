/** Plies in the words of the game and the language of the player: made from what the player sees of them. */
import type { ActionChoice } from "@brettwerk/client/v1/games";
import { Happening_Kind, type Update } from "@brettwerk/client/v1/sessions";
import { unpack } from "../../../api/registry";
import type { Board, Say, Narration } from "../../../boards/board";
import type { Key } from "../../text/text.svelte";
import { happeningText } from "./happening_text";
import { eventsOf } from "../state/recent_events";

/** The sources that words are made from. */
export interface Speaker {
  readonly board: Board | undefined;
  readonly say: Say;
  readonly seatName: (seat: number) => string;
  readonly t: (key: Key, args?: Readonly<Record<string, string>>) => string;
}

/** Returns whether a seat acted, so that something else did not happen to the game. */
export function acted({ happening }: Update): boolean {
  return happening?.kind === Happening_Kind.ACTED;
}

/** Returns a ply in words; an action for which the board has none is in notation. */
export function plyWords(ply: Update, { board, say, seatName, t }: Speaker): Narration {
  const narration = board?.narrate?.(eventsOf(ply), say, () => unpack(ply.view)) ?? {
    action: "",
    after: "",
    captures: false,
  };
  if (!acted(ply)) return { ...narration, action: happeningText(ply.happening, seatName, t) };
  const notation = ply.happening?.notation ?? "";
  const action = board?.read?.(notation, say) || narration.action;
  if (action !== "") return { ...narration, action };
  const quiet = board?.quiet === undefined ? "" : say(board.quiet);
  return { ...narration, action: quiet || notation };
}

/** Returns an action that may be played in words, in notation where there are none. */
export function choiceWords(choice: ActionChoice | undefined, { board, say }: Speaker): string {
  if (choice === undefined) return "";
  const label = choice.label === undefined ? "" : say(choice.label.key, choice.label.args);
  return inBoardsWords(choice.notation, board, say) || label || choice.notation;
}

/** Returns an action that may be chosen in the words of its board, from its notation; empty where it has none. */
export function inBoardsWords(notation: string, board: Board | undefined, say: Say): string {
  return board?.readChoice?.(notation, say) || board?.read?.(notation, say) || "";
}

const captures = new WeakMap<Update, boolean>();

/** Returns whether something left the board, or was captured, by a ply. */
export function isCapture(ply: Update, board: Board | undefined): boolean {
  let found = captures.get(ply);
  if (found === undefined) {
    found =
      board?.narrate?.(
        eventsOf(ply),
        () => "",
        () => unpack(ply.view),
      ).captures === true;
    if (board !== undefined) captures.set(ply, found);
  }
  return found;
}
