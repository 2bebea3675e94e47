/** First place at which two values differ, in words; null when they are equal. Keys that hold `undefined` are not there. */
export function firstDifference(expected: unknown, got: unknown, at = ''): string | null {
  if (isRecord(expected) && isRecord(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const difference = firstDifference(
        expected[key],
        got[key],
        `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      )
      if (difference !== null) return difference
    }
    return null
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(expected.length, got.length); i++) {
      const difference = firstDifference(expected[i], got[i], `${at}/${i}`)
      if (difference !== null) return difference
    }
    return null
  }
  return Object.is(expected, got) || (expected === 0 && got === 0)
    ? null
    : `${at || '/'}: expected ${show(expected)}, got ${show(got)}`
}

/** The first difference of what a case compares; that it throws is one. */
export async function differenceOf(
  compare: () => Promise<{ expected: unknown; got: unknown }>,
): Promise<string | null> {
  try {
    const { expected, got } = await compare()
    return firstDifference(expected, got)
  } catch (error) {
    return threw(error)
  }
}

export const threw = (error: unknown): string =>
  `threw: ${error instanceof Error ? error.message : String(error)}`

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const show = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : (
        JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one)) ??
        String(value)
      ).slice(0, 300)
