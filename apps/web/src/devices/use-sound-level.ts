import { useEffect, useState } from "react";

const readEveryMs = 100;
/** About as many samples as arrive between two readings. */
const sampleCount = 4096;
/** The level that counts as silence: about that of a quiet room. */
const silenceDecibels = -60;

/**
 * The level of a stream, from 0 for silence to 1 for full scale; null while nothing is measured, because
 * there is no stream, no `AudioContext`, or the browser suspends it.
 */
export function useSoundLevel(stream: MediaStream | null): number | null {
  const [level, setLevel] = useState<number | null>(null);
  useEffect(() => {
    if (stream === null || !("AudioContext" in globalThis)) return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = sampleCount;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(sampleCount);
    const timer = setInterval(() => {
      if (context.state !== "running") return setLevel(null);
      analyser.getFloatTimeDomainData(samples);
      setLevel(loudnessOf(samples));
    }, readEveryMs);
    context.resume().catch(() => {}); // closed before it began
    return () => {
      clearInterval(timer);
      setLevel(null);
      void context.close();
    };
  }, [stream]);
  return level;
}

/** In decibels, which match perceived loudness. */
function loudnessOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / samples.length);
  return Math.min(1, Math.max(0, 1 - decibels / silenceDecibels));
}
