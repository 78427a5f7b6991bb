/** Parts that an action changes are drawn anew, and nothing else of the board. */
import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";
import { WecArticle, WecKind, WecViewSchema, type WecView } from "@brettwerk/client/v1/wec";
import type { BoardProps } from "../../../src/boards/board";
import WecBoard from "../../../src/boards/wec/WecBoard.svelte";
import { given } from "./actions";

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  document.body.replaceChildren();
});

/** Twenty pieces in the two rows of each side, of which the first stands elsewhere. */
function view(place: number): WecView {
  const pieces = Array.from({ length: 40 }, (_, each) => ({
    id: each + 1,
    seat: each < 20 ? 0 : 1,
    kind: WecKind.PANZER,
    place: each === 0 ? place : each === 19 ? 119 : each < 20 ? each : each + 60,
    articles: [{ kind: WecArticle.FLAME, turns: 1 }],
  }));
  return create(WecViewSchema, { ply: 1, options: {}, pieces });
}

/** Returns the names of everything in which something has changed. */
function touched(records: readonly MutationRecord[]): string[] {
  const names = records.flatMap(({ target, addedNodes, removedNodes }) =>
    [target, ...addedNodes, ...removedNodes].flatMap((node) => {
      const element = node instanceof Element ? node : node.parentElement;
      const own = element?.closest<SVGElement>("[data-name], [role=gridcell], .levels button");
      return own?.dataset["name"] ?? own?.dataset["testid"] ?? [];
    }),
  );
  return [...new Set(names)].sort();
}

test("an action that moves a piece draws that piece, both squares and its level anew", () => {
  const props: { -readonly [Name in keyof BoardProps]: BoardProps[Name] } = $state(given(view(0)));
  const board = mount(WecBoard, { target: document.body, props });
  stop = () => void unmount(board);
  flushSync();
  const observer = new MutationObserver(() => undefined);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  props.view = view(55);
  flushSync();
  expect(touched(observer.takeRecords())).toEqual(["level-ground", "piece-1", "square-(1,1)", "square-(6,6)"]);
  // A view told again without a change is not drawn again at all.
  props.view = view(55);
  flushSync();
  expect(touched(observer.takeRecords())).toEqual([]);
});
