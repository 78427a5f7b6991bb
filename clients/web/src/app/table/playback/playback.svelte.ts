/**
 * Shows what happens in the pace of people: computers are faster than the eye.
 *
 * Updates are presented one after another, each in the stages that the board asks for; those that come meanwhile wait. Who does
 * not want to wait goes on, or skips to what is newest.
 */
import type { Update } from "@brettwerk/client/v1/sessions";
import type { Stage } from "../../../boards/board";

/** How much faster stages can pass. */
export const SPEEDS: readonly number[] = [0.5, 1, 2, 4, 8];
/** How long a stage that waits for the player lasts when it is not to wait, in seconds. */
const UNATTENDED_S = 3;

/** The source of a playback's facts. */
interface PlaybackSource {
  /** Returns the first update after a version, or undefined. */
  next(version: bigint): Update | undefined;
  /** Returns the newest version. */
  head(): bigint;
  /** Returns the stages of an update. */
  stages(update: Update): readonly Stage[];
  /** An update is shown from now on. */
  presented(update: Update): void;
}

export class Playback {
  /** The version that is shown while there is more to come; undefined when it is the newest one. */
  at = $state.raw<bigint | undefined>();
  stage = $state.raw<Stage | undefined>();
  paused = $state(false);
  speed = $state(1);
  /** Whether stages that wait for the player end by themselves. */
  unattended = $state(false);
  /** Whether a pause begins at the next place to rest. */
  resting = $state(false);
  readonly #source: PlaybackSource;
  #shown = 0n;
  #later: readonly Stage[] = [];
  /** Whether parts are passed over. */
  #passes = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: PlaybackSource) {
    this.#source = source;
  }

  /** Whether the stage waits for the player. */
  get waits(): boolean {
    return this.stage !== undefined && (this.paused || this.#secondsOf(this.stage) === Infinity);
  }

  /** A newer update is there. */
  arrived(): void {
    if (this.stage === undefined && !this.paused) this.#advance();
    else this.at ??= this.#shown;
  }

  /** Shows what is newest, and has nothing more to show. */
  skip(): void {
    const head = this.#source.head();
    const newest = head > this.#shown ? this.#source.next(head - 1n) : undefined;
    this.jump();
    if (newest !== undefined) this.#source.presented(newest);
  }

  /** Forgets everything that was to be shown. */
  jump(): void {
    this.#stop();
    this.#passes = false;
    this.#shown = this.#source.head();
    this.#later = [];
    this.stage = this.at = undefined;
    this.paused = this.resting = false;
  }

  /** Goes on to what comes next, also while paused; from one of many parts to what comes after them. */
  go(): void {
    this.#stop();
    this.#passes = this.stage?.minor === true;
    this.#next();
  }

  pause(): void {
    this.#stop();
    this.paused = true;
  }

  resume(): void {
    this.paused = this.resting = false;
    if (this.stage === undefined) this.#advance();
    else this.#time(this.stage);
  }

  /** Pauses at the next place to rest. */
  rest(): void {
    if (this.stage?.rests === true) this.pause();
    else this.resting = true;
  }

  /** Passes stages in another speed from now on. */
  hurry(speed: number, unattended: boolean): void {
    this.speed = speed;
    this.unattended = unattended;
    if (this.stage !== undefined && !this.paused) this.#time(this.stage);
  }

  /** Ends all waiting. */
  leave(): void {
    this.#stop();
  }

  #next(): void {
    const [stage, ...later] = this.#later;
    if (stage === undefined) {
      this.#advance();
      return;
    }
    this.#later = later;
    this.stage = stage;
    if (stage.rests === true && this.resting) {
      this.paused = true;
      this.resting = false;
    }
    if (!this.paused) this.#time(stage);
  }

  #advance(): void {
    for (;;) {
      const update = this.#source.next(this.#shown);
      if (update === undefined) {
        this.stage = this.at = undefined;
        this.#passes = false;
        return;
      }
      this.#shown = this.at = update.version;
      this.#source.presented(update);
      const stages = this.#source.stages(update).filter(({ seconds }) => seconds > 0);
      this.#later = stages.filter(({ minor }) => !(this.#passes && minor === true));
      if (this.#later.length > 0) {
        this.#passes = false;
        this.#next();
        return;
      }
    }
  }

  #time(stage: Stage): void {
    this.#stop();
    const seconds = this.#secondsOf(stage);
    if (seconds !== Infinity) this.#timer = setTimeout(() => this.#next(), seconds * 1000);
  }

  #secondsOf(stage: Stage): number {
    return (stage.seconds === Infinity && this.unattended ? UNATTENDED_S : stage.seconds) / this.speed;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
