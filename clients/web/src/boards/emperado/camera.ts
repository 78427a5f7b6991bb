/** The part of the world that is seen, and how large. */
import { ZOOM_STEP } from "../zoom.svelte";
import { HEIGHT, WIDTH, type Point } from "./world";

/** The middle of what is seen, and pixels per unit of the map. */
export interface Camera extends Point {
  readonly scale: number;
}

/** The size of the window, in pixels. */
export interface Pane {
  readonly width: number;
  readonly height: number;
}

/** How many pixels a unit of the map has at most. */
const CLOSEST = 6;

/** Returns the smallest scale: all of the world is seen. */
export function farthest(pane: Pane): number {
  return Math.min(pane.width / WIDTH, pane.height / HEIGHT);
}

/** Returns the camera that sees the whole world. */
export function overview(pane: Pane): Camera {
  return { x: WIDTH / 2, y: HEIGHT / 2, scale: farthest(pane) };
}

/** Returns the camera that fills the window with what is as high as the world, where the most of these points are. */
export function facing(pane: Pane, points: readonly Point[]): Camera {
  const scale = pane.height / HEIGHT;
  const reach = (pane.width / scale / 2) * 0.9;
  const seenFrom = (x: number): Point[] => points.filter((point) => Math.abs(point.x - x) <= reach);
  const most = points.map(({ x }) => seenFrom(x)).reduce((best, each) => (each.length > best.length ? each : best), []);
  const ends = most.length > 0 ? most.map(({ x }) => x) : [0, WIDTH];
  return within({ x: (Math.min(...ends) + Math.max(...ends)) / 2, y: HEIGHT / 2, scale }, pane);
}

/** Returns the nearest camera that shows nothing beyond the edges, except where the world is smaller than the window. */
export function within(camera: Camera, pane: Pane): Camera {
  const least = farthest(pane);
  const scale = Math.min(Math.max(camera.scale, least), Math.max(CLOSEST, least));
  const place = (at: number, length: number, window: number): number => {
    const half = window / scale / 2;
    return half * 2 >= length ? length / 2 : Math.min(Math.max(at, half), length - half);
  };
  return { x: place(camera.x, WIDTH, pane.width), y: place(camera.y, HEIGHT, pane.height), scale };
}

/** Returns the point of the map at a point of the window. */
export function pointAt(camera: Camera, pane: Pane, at: Point): Point {
  return {
    x: camera.x + (at.x - pane.width / 2) / camera.scale,
    y: camera.y + (at.y - pane.height / 2) / camera.scale,
  };
}

/** Returns where in the window a point of the map is. */
export function placeIn(camera: Camera, pane: Pane, point: Point): Point {
  return {
    x: (point.x - camera.x) * camera.scale + pane.width / 2,
    y: (point.y - camera.y) * camera.scale + pane.height / 2,
  };
}

/** Returns the camera that sees `factor` times as large, with the same point of the map at `at`. */
export function zoom(camera: Camera, pane: Pane, factor: number, at: Point): Camera {
  const point = pointAt(camera, pane, at);
  const { scale } = within({ ...camera, scale: camera.scale * factor }, pane);
  const x = point.x - (at.x - pane.width / 2) / scale;
  const y = point.y - (at.y - pane.height / 2) / scale;
  return within({ x, y, scale }, pane);
}

/** Returns the camera moved by pixels. */
export function pan(camera: Camera, pane: Pane, right: number, down: number): Camera {
  return within({ ...camera, x: camera.x + right / camera.scale, y: camera.y + down / camera.scale }, pane);
}

/** Returns the camera moved as little as needed so that a point is well inside the window. */
export function show(camera: Camera, pane: Pane, point: Point): Camera {
  const near = (at: number, centre: number, window: number): number => {
    const reach = (window / camera.scale / 2) * 0.75;
    return Math.min(Math.max(centre, at - reach), at + reach);
  };
  const moved = { ...camera, x: near(point.x, camera.x, pane.width), y: near(point.y, camera.y, pane.height) };
  return within(moved, pane);
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-80, 0],
  ArrowRight: [80, 0],
  ArrowUp: [0, -80],
  ArrowDown: [0, 80],
};

/** Returns where a key leads: arrows along an enlarged map, + and - nearer and farther, 0 to all of it; undefined for others. */
export function steer(camera: Camera, pane: Pane, key: string): Camera | undefined {
  const step = STEPS[key];
  if (step !== undefined) return isEnlarged(camera, pane) ? pan(camera, pane, ...step) : undefined;
  if (key === "+" || key === "=") return enlarge(camera, pane, ZOOM_STEP);
  if (key === "-") return enlarge(camera, pane, 1 / ZOOM_STEP);
  return key === "0" ? overview(pane) : undefined;
}

/** Returns the camera nearer to the middle of what it shows, or farther. */
export function enlarge(camera: Camera, pane: Pane, factor: number): Camera {
  return zoom(camera, pane, factor, { x: pane.width / 2, y: pane.height / 2 });
}

/** Returns whether less than the whole map is shown. */
export function isEnlarged(camera: Camera, pane: Pane): boolean {
  return camera.scale > farthest(pane) * 1.05;
}

/** Returns the viewBox of what is seen. */
export function viewBox(camera: Camera, pane: Pane): string {
  const [width, height] = [pane.width / camera.scale, pane.height / camera.scale];
  return [camera.x - width / 2, camera.y - height / 2, width, height].map((each) => each.toFixed(2)).join(" ");
}
