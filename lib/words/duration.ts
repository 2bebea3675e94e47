const two = (n: number): string => String(n).padStart(2, '0')

/** `42 seconds`, `15 min 00 s`, `2 h 05 min`: a length of time within a sentence. Few shapes, so that sentences that differ in it only are alike. */
export function durationWords(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 120) return `${whole} second${whole === 1 ? '' : 's'}`
  const minutes = Math.floor(whole / 60)
  return minutes < 120
    ? `${minutes} min ${two(whole % 60)} s`
    : `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}

/** A time limit within a sentence: `15 min 00 s`, `1.5 seconds`. */
export const limitWords = (limitS: number): string =>
  Number.isInteger(limitS) ? durationWords(limitS) : `${limitS} seconds`
