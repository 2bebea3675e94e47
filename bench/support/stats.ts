/** The value below which this share of the sample lies (nearest rank). */
export function quantile(sample: readonly number[], share: number): number {
  if (sample.length === 0) return Number.NaN
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]!
}

/** The middle of the sample; the mean of the two in the middle when their number is even. */
export function median(sample: readonly number[]): number {
  if (sample.length === 0) return Number.NaN
  const sorted = [...sample].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** Half of the distance between the quartiles, as a share of the median: how far the machine's other work blurs a figure. */
export const noise = (sample: readonly number[]): number =>
  (quantile(sample, 0.75) - quantile(sample, 0.25)) / 2 / median(sample)

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits))
