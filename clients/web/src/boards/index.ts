/** The boards by themselves, for pages without the app (README.md, "A board on a page of your own"). */
import "./theme.css";

export { loadBoard, type Advice, type Board, type BoardProps, type BoardSeat, type BoardSettings } from "./board";
export type { Choice, Narration, Say, Stage } from "./board";
export { mountBoard, type MountedBoard, type Shown } from "./mount.svelte";
export { default as PlainBoard } from "./plain/PlainBoard.svelte";
export type { StoryLine } from "./plain/story";
export { SETS, type SetName } from "./sets";
export { hasThumbnail, loadThumbnail, type BoardOptions, type ReadBoard } from "./thumbnail";
export type { SmallBoard, ThumbnailProps } from "./thumbnail";
