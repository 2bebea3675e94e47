/** What one run of a test runner counted. */
export interface Counts {
  passed: number
  failed: number
  /** What failed; `file` is what the runner takes to run it again. */
  failures: { file: string; text: string }[]
}

/** More files than these do not fail by chance. */
const MOST_FILES = 4

/**
 * Runs everything, and the files with failures once more, with nothing beside them. What fails again is a failure; what passes is given
 * back as `unstable`, to be reported by name. A failure that has no name, or many files of failures, get no second try.
 *
 * @param run Runs the files it is given, or everything when there are none.
 */
export async function withSecondTry(
  run: (files: string[]) => Promise<Counts>,
): Promise<Counts & { unstable: string[] }> {
  const first = await run([])
  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (files.length === 0 || files.length > MOST_FILES || first.failures.length !== first.failed)
    return { ...first, unstable: [] }
  const second = await run(files)
  if (second.failed > 0 || second.passed === 0) return { ...first, unstable: [] }
  return {
    passed: first.passed + first.failed,
    failed: 0,
    failures: [],
    unstable: first.failures.map(({ text }) => text),
  }
}
