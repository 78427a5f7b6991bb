/** Times of day, as minutes after midnight and as fields of forms have them (07:30). */

/** Returns a time of day for a form. */
export function timeOf(minute: number): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Returns the minute of a time in a form; undefined for what is no time. */
export function minuteOf(time: string): number | undefined {
  const [, hours = "", minutes = ""] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return hours !== "" && Number(hours) < 24 && Number(minutes) < 60 ? minute : undefined;
}
