import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ActionChoiceSchema, type ActionChoice } from "@brettwerk/client/v1/games";
import { ConnectResponseSchema, type ConnectResponse } from "@brettwerk/client/v1/play";
import { UpdateSchema } from "@brettwerk/client/v1/sessions";
import { ListedActions } from "../../src/api/listed_actions";

function action(place: number): ActionChoice {
  return create(ActionChoiceSchema, {
    action: { typeUrl: "type.googleapis.com/x.Action", value: Uint8Array.of(8, place) },
    notation: `MV:R(1,1)->(${place},ä)`,
    places: ["(1,1)", `(${place},1)`],
    label: { key: "choice.move", args: { notation: `MV ${place}` } },
  });
}

const places = (from: number, until: number): number[] =>
  Array.from({ length: until - from }, (_, each) => from + each);

function updated(version: bigint, actions: ActionChoice[], resync = false): ConnectResponse {
  const update = create(UpdateSchema, { sessionId: "s", version, actions, moreActions: true, toAct: [0, 1] });
  const kind = resync
    ? ({ case: "resync", value: { cause: 1, update } } as const)
    : ({ case: "update", value: update } as const);
  return create(ConnectResponseSchema, { id: 7n, kind: { case: "watch", value: { kind } } });
}

function answered(actions: ActionChoice[]): ConnectResponse {
  const value = { actions, atVersion: 4n, nextPageToken: "next" };
  const answer = { response: { case: "listActions", value } } as const;
  return create(ConnectResponseSchema, { id: 8n, kind: { case: "answer", value: answer } });
}

function actionsIn({ kind }: ConnectResponse): ActionChoice[] {
  const said = kind.case === "watch" ? kind.value.kind : undefined;
  if (said?.case === "resync") return said.value.update?.actions ?? [];
  if (said?.case === "update") return said.value.actions;
  return kind.case === "answer" && kind.value.response.case === "listActions" ? kind.value.response.value.actions : [];
}

const wire = (response: ConnectResponse): Uint8Array => toBinary(ConnectResponseSchema, response);

test.each([
  ["an update", updated(3n, places(0, 100).map(action))],
  ["an update of somebody who is not to act", updated(3n, [])],
  ["an update that a watch begins with", updated(3n, places(0, 3).map(action), true)],
  ["a page of all actions", answered(places(0, 500).map(action))],
  ["an action of no length", updated(3n, [create(ActionChoiceSchema), action(1)])],
  ["another answer", create(ConnectResponseSchema, { id: 9n, kind: { case: "refusal", value: { message: "no" } } })],
])("%s is read as it was written", (_, response) => {
  const listed = new ListedActions();
  // The response read before has no part in it.
  listed.read(wire(updated(2n, places(50, 60).map(action))));
  expect(listed.read(wire(response))).toEqual(response);
});

test("an action that is listed again is the message of before, wherever it is listed", () => {
  const listed = new ListedActions();
  const before = actionsIn(listed.read(wire(updated(3n, places(0, 10).map(action)))));
  const page = actionsIn(listed.read(wire(answered(places(5, 15).map(action)))));
  expect(page.slice(0, 5).map((each, index) => each === before[index + 5])).toEqual(Array(5).fill(true));
  const now = actionsIn(listed.read(wire(updated(4n, places(9, 12).map(action)))));
  expect([now[0] === before[9], now[1] === page[5], now[2] === page[6]]).toEqual([true, true, true]);
});

test("a broken message is refused", () => {
  const frame = wire(updated(3n, [action(1), action(2)]));
  expect(() => new ListedActions().read(frame.subarray(0, frame.length - 3))).toThrow();
});
