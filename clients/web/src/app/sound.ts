/** Sounds made in the browser; nothing is loaded. A browser lets no page sound before its player has touched it. */

/** The sounds of a game. */
export type Sound =
  | "move"
  | "capture"
  | "march"
  | "battle"
  | "conquest"
  | "card"
  | "shot"
  | "blast"
  | "die"
  | "turn"
  | "low"
  | "chat"
  | "win"
  | "loss"
  | "draw";

/** A tone: when it begins, how long it sounds (in seconds), how high (in Hertz) and how it is coloured. */
interface Tone {
  readonly at: number;
  readonly length: number;
  readonly pitch: number;
  /** Noise around the pitch is what wood and dice sound like. */
  readonly wave: OscillatorType | "noise";
  /** Where the pitch glides to; absent where it stays. */
  readonly to?: number;
  /** How loud it is among the others, 0 to 1. */
  readonly share: number;
}

const tone = (
  at: number,
  length: number,
  pitch: number,
  wave: Tone["wave"] = "sine",
  more: Partial<Pick<Tone, "to" | "share">> = {},
): Tone => ({ at, length, pitch, wave, share: 1, ...more });

export const TONES: Readonly<Record<Sound, readonly Tone[]>> = {
  // A piece of wood set down.
  move: [tone(0, 0.05, 1100, "noise", { share: 0.8 }), tone(0, 0.08, 330, "triangle", { to: 240, share: 0.7 })],
  // Something falls.
  capture: [tone(0, 0.12, 420, "noise"), tone(0.01, 0.2, 220, "triangle", { to: 110 })],
  // Steps of many feet, as far apart as an army is seen to make them.
  march: [0, 0.11, 0.22, 0.33].map((at, step) => tone(at, 0.06, step % 2 === 0 ? 520 : 440, "noise", { share: 0.55 })),
  // Drums while the dice roll, and steel.
  battle: [
    ...[0, 0.09, 0.16, 0.22, 0.27].map((at, beat) => tone(at, 0.07, 170 + beat * 15, "noise", { share: 0.9 })),
    tone(0.32, 0.16, 1950, "noise", { share: 0.35 }),
    tone(0.32, 0.12, 1700, "triangle", { to: 1400, share: 0.25 }),
  ],
  // A card that is drawn from a pile and put down.
  card: [tone(0, 0.11, 1990, "noise", { share: 0.4 }), tone(0.15, 0.04, 900, "noise", { share: 0.6 })],
  // A gate that breaks, and a trumpet.
  conquest: [
    tone(0, 0.22, 260, "noise"),
    tone(0.16, 0.16, 392, "sawtooth", { share: 0.35 }),
    tone(0.3, 0.4, 587, "sawtooth", { share: 0.35 }),
  ],
  // Something is fired, and hisses off.
  shot: [tone(0, 0.06, 1900, "noise"), tone(0.02, 0.22, 900, "sawtooth", { to: 180, share: 0.35 })],
  // Something goes off far below.
  blast: [tone(0.02, 0.28, 160, "noise"), tone(0.02, 0.4, 120, "triangle", { to: 45 })],
  // A die that rolls until it lies.
  die: [0.12, 0.19, 0.25, 0.33].map((at, bounce) => tone(at, 0.04, 1800 - bounce * 150, "noise", { share: 0.7 })),
  turn: [tone(0.22, 0.14, 523), tone(0.32, 0.22, 659)],
  low: [tone(0, 0.1, 880, "square", { share: 0.3 }), tone(0.18, 0.1, 880, "square", { share: 0.3 })],
  chat: [tone(0, 0.08, 988, "sine", { to: 1319, share: 0.6 }), tone(0.1, 0.1, 1319, "sine", { share: 0.5 })],
  win: [
    tone(0.2, 0.18, 523),
    tone(0.34, 0.18, 659),
    tone(0.48, 0.45, 784),
    tone(0.48, 0.45, 1047, "sine", { share: 0.5 }),
  ],
  loss: [tone(0.2, 0.25, 392, "triangle"), tone(0.42, 0.45, 311, "triangle", { to: 262 })],
  draw: [tone(0.2, 0.2, 440), tone(0.4, 0.35, 440, "triangle", { share: 0.8 })],
};

const LOUDEST = 0.25;
const NOISE_S = 0.3;
let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;

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
  for (const each of TONES[sound]) {
    const begin = context.currentTime + each.at;
    const end = begin + each.length;
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime((volume / 100) * LOUDEST * each.share, begin + Math.min(0.01, each.length / 4));
    gain.gain.exponentialRampToValueAtTime(0.0001, end);
    gain.connect(context.destination);
    const source = each.wave === "noise" ? hiss(context, each, gain) : hum(context, each, each.wave, begin, gain);
    source.start(begin);
    source.stop(end);
  }
}

function hum(on: AudioContext, { pitch, to, length }: Tone, type: OscillatorType, begin: number, gain: GainNode) {
  const oscillator = new OscillatorNode(on, { type, frequency: pitch });
  if (to !== undefined) {
    oscillator.frequency.setValueAtTime(pitch, begin);
    oscillator.frequency.exponentialRampToValueAtTime(to, begin + length);
  }
  oscillator.connect(gain);
  return oscillator;
}

function hiss(on: AudioContext, { pitch }: Tone, gain: GainNode): AudioBufferSourceNode {
  if (noise === undefined) {
    noise = new AudioBuffer({ length: Math.ceil(on.sampleRate * NOISE_S), sampleRate: on.sampleRate });
    const samples = noise.getChannelData(0);
    for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(on, { buffer: noise });
  source.connect(new BiquadFilterNode(on, { type: "bandpass", frequency: pitch, Q: 1.2 })).connect(gain);
  return source;
}
