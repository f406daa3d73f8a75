/** The rise of the regression line from the first sample to the last, as a fraction of their mean. */
export function driftOf(samples: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, sample) => sum + sample, 0) / list.length;
  const [middle, average] = [(samples.length - 1) / 2, mean(samples)];
  const slope =
    mean(samples.map((sample, at) => (at - middle) * (sample - average))) /
    mean(samples.map((_, at) => (at - middle) ** 2));
  return (slope * (samples.length - 1)) / average;
}
