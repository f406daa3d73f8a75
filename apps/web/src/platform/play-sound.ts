interface Note {
  readonly hz: number;
  /** When it begins, after the first one. */
  readonly inS: number;
  readonly lastsS: number;
}

/** Soft and short; nothing is fetched for them. */
const sounds = {
  ring: [
    { hz: 587, inS: 0, lastsS: 0.22 },
    { hz: 784, inS: 0.22, lastsS: 0.22 },
  ],
  message: [
    { hz: 659, inS: 0, lastsS: 0.09 },
    { hz: 880, inS: 0.08, lastsS: 0.16 },
  ],
  done: [{ hz: 523, inS: 0, lastsS: 0.2 }],
} as const satisfies Record<string, readonly Note[]>;

export type SoundName = keyof typeof sounds;

const volumeMax = 0.12;

/** Longer than every sound. */
const closedAfterMs = 1_000;

/** Plays a short sound. A browser that has seen no press on the page stays silent. */
export function playSound(name: SoundName): void {
  if (!("AudioContext" in globalThis)) return;
  // Closed even if the browser never started it: otherwise the first press would play what was missed, all at once.
  const context = new AudioContext();
  for (const note of sounds[name]) playNote(context, note);
  setTimeout(() => void context.close(), closedAfterMs);
}

function playNote(context: AudioContext, { hz, inS, lastsS }: Note): void {
  const startS = context.currentTime + inS;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = hz;
  volume.gain.setValueAtTime(0, startS);
  volume.gain.linearRampToValueAtTime(volumeMax, startS + 0.02);
  volume.gain.linearRampToValueAtTime(0, startS + lastsS);
  tone.connect(volume).connect(context.destination);
  tone.start(startS);
  tone.stop(startS + lastsS);
}
