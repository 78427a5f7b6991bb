/** Sounds made in the browser; nothing is loaded. A browser lets no page sound before its player has touched it. */

export type Sound = "move" | "capture" | "turn" | "end" | "low";

/** A tone: when it begins, how long it sounds (in seconds), how high (in Hertz) and how it is coloured. */
export interface Tone {
  readonly at: number;
  readonly length: number;
  readonly pitch: number;
  readonly wave: OscillatorType;
}

const tone = (at: number, length: number, pitch: number, wave: OscillatorType = "sine"): Tone => ({
  at,
  length,
  pitch,
  wave,
});

export const TONES: Readonly<Record<Sound, readonly Tone[]>> = {
  move: [tone(0, 0.09, 330, "triangle")],
  capture: [tone(0, 0.08, 220, "triangle"), tone(0.06, 0.12, 147, "triangle")],
  turn: [tone(0.22, 0.12, 523), tone(0.32, 0.16, 659)],
  end: [tone(0.2, 0.2, 523), tone(0.36, 0.2, 659), tone(0.52, 0.4, 784)],
  low: [tone(0, 0.1, 880), tone(0.18, 0.1, 880)],
};

const LOUDEST = 0.25;
let context: AudioContext | undefined;

/** Lets sounds be heard from the player's first touch or key on. */
export function awaitTouch(): void {
  const wake = (): void => {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    for (const event of ["pointerdown", "keydown"]) window.removeEventListener(event, wake, true);
  };
  for (const event of ["pointerdown", "keydown"]) window.addEventListener(event, wake, true);
}

/** Plays a sound at a volume of 0 to 100; nothing before the player's first touch. */
export function play(sound: Sound, volume: number): void {
  if (context === undefined || volume <= 0) return;
  for (const { at, length, pitch, wave } of TONES[sound]) {
    const begin = context.currentTime + at;
    const oscillator = new OscillatorNode(context, { type: wave, frequency: pitch });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime((volume / 100) * LOUDEST, begin + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(begin);
    oscillator.stop(begin + length);
  }
}
