import { useEffect } from "react";

const everyMs = 3_000;
/** Two notes, in Hz, each for this long. */
const notes = [587, 784];
const noteS = 0.22;

/** Rings, and lets a phone vibrate, while `isOn`. A browser that has seen no press on the page stays silent. */
export function useRingSound(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const context = "AudioContext" in globalThis ? new AudioContext() : null;
    const ring = (): void => {
      if (context) for (const [index, note] of notes.entries()) play(context, note, index * noteS);
      // Missing in Firefox and Safari, whatever the types say.
      const { vibrate }: Partial<Navigator> = navigator;
      vibrate?.call(navigator, [200, 100, 200]);
    };
    ring();
    const timer = setInterval(ring, everyMs);
    return () => {
      clearInterval(timer);
      void context?.close();
    };
  }, [isOn]);
}

/** Plays a soft note that begins after `inS`. */
function play(context: AudioContext, hz: number, inS: number): void {
  const startS = context.currentTime + inS;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = hz;
  volume.gain.setValueAtTime(0, startS);
  volume.gain.linearRampToValueAtTime(0.12, startS + 0.02);
  volume.gain.linearRampToValueAtTime(0, startS + noteS);
  tone.connect(volume).connect(context.destination);
  tone.start(startS);
  tone.stop(startS + noteS);
}
