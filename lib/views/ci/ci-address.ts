import type { CiAddress } from '../../model/ci-run'

/** Providers whose paths always have two parts or more, and never hold a percent sign. */
const IN_PARTS = new Set(['github', 'gitlab', 'buildkite', 'circleci'])

/**
 * Reads `{provider}/{path}/{run}[/{attempt}]`, as `links.ciRun` writes it and as proxies leave it. Total: a segment that is not well encoded stays as
 * it is, and of a provider whose paths have parts a path that was taken apart (`owner/repo` for `owner%2Frepo`) or encoded twice is put together.
 *
 * @param path what follows `/ci/`, percent-encoded
 * @returns null when provider, path and run are not all there
 */
export function parseCiAddress(path: string): CiAddress | null {
  const [provider = '', ...rest] = path
    .split('/')
    .map(decodeSegment)
    .filter((segment) => segment.trim() !== '')
  const name = provider.trim().toLowerCase()
  const [project = '', run = '', attempt = null] = IN_PARTS.has(name) ? putTogether(rest) : rest
  if (name === '' || project === '' || run === '') return null
  const number = attempt === null ? null : readAttempt(attempt)
  return { provider: name, path: project, run, attempt: number, unread: number === null ? attempt : null }
}

/** The number of an attempt, from 1; null for everything else. */
export const readAttempt = (text: string): number | null =>
  /^[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) : null

function putTogether(rest: string[]): string[] {
  const [first = ''] = rest
  if (first.includes('/')) return rest
  const again = decodeSegment(first)
  if (again.includes('/')) return [again, ...rest.slice(1)]
  if (rest.length < 3) return rest
  // Two parts make a path: a fourth segment is the attempt where both it and the one before could be numbers, else the run of a deeper path.
  const [beforeLast = '', last = ''] = rest.slice(-2)
  const withAttempt = rest.length > 3 && /^\d+$/.test(beforeLast) && readAttempt(last) !== null
  const parts = withAttempt ? rest.slice(0, -2) : rest.slice(0, -1)
  return [parts.join('/'), ...rest.slice(parts.length)]
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
