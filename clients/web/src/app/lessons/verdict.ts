/** Whether a lesson's goal is reached: a comparison of what happened with what was to happen, which knows no rules. */
import type { Aim, Lesson, Pattern } from "../../boards/lessons";
import type { Words } from "../../boards/tour";

/** A message as JSON, of which fields that have their default are absent. */
export type Json = unknown;

/** Something that was played. */
export interface Played {
  readonly own: boolean;
  readonly events: readonly Json[];
  /** The player's view after it. */
  readonly view: Json;
}

type Verdict = { readonly is: "open" } | { readonly is: "reached" } | { readonly is: "missed"; readonly says: Words };

const OPEN: Verdict = { is: "open" };
const REACHED: Verdict = { is: "reached" };

/** Returns how a lesson stands after what was played. */
export function judge(lesson: Lesson, plies: readonly Played[], over: boolean): Verdict {
  const firm = plies.findIndex((_, index) => holds(lesson.goal, plies.slice(0, index + 1)));
  if (firm >= 0) return REACHED;
  const spent = plies.filter(({ own }) => own).length >= (lesson.actions ?? Infinity);
  const slip = lesson.slips?.find(({ when }) => plies.some((_, index) => holds(when, plies.slice(0, index + 1))));
  if (slip !== undefined) return { is: "missed", says: slip.says };
  return spent || over ? { is: "missed", says: lesson.other } : OPEN;
}

/** Whether all aims are reached at the end of `plies`: events by then, the view as it is there. */
function holds(aims: readonly Aim[], plies: readonly Played[]): boolean {
  const now = plies.at(-1);
  return aims.every((aim) =>
    "event" in aim
      ? plies.some(({ events }) => events.some((event) => matches(event, aim.event)))
      : matches(now?.view, aim.view),
  );
}

/** Whether a value is like a pattern. */
export function matches(value: Json, pattern: Pattern): boolean {
  if (typeof pattern !== "object") return plain(value, pattern) === pattern;
  return Object.entries(pattern).every(([key, wanted]) => {
    const list: readonly Json[] = Array.isArray(value) ? value : [];
    switch (key) {
      case "$least":
        return Number(value ?? 0) >= Number(wanted);
      case "$most":
        return Number(value ?? 0) <= Number(wanted);
      case "$count":
        return matches(list.length, wanted);
      case "$some":
        return list.some((each) => matches(each, wanted));
      case "$none":
        return !list.some((each) => matches(each, wanted));
      case "$at":
        return Object.entries(wanted).every(([index, each]) => matches(list[Number(index)], each as Pattern));
      default:
        return isMessage(value) && matches(value[key], wanted);
    }
  });
}

/** A field that is absent has its default. */
function plain(value: Json, like: boolean | number | string): Json {
  if (value !== undefined) return value;
  return typeof like === "number" ? 0 : typeof like === "string" ? "" : false;
}

function isMessage(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
