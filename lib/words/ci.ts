import type { OutcomeMessages } from '../model/messages/outcome'
import type { CiAddress, CiGroup } from '../model/ci-run'

const PROVIDER_WORDS: Record<string, string> = {
  github: 'GitHub Actions',
  gitlab: 'GitLab CI',
  buildkite: 'Buildkite',
  jenkins: 'Jenkins',
  circleci: 'CircleCI',
}
/** Providers whose variables are read, by the word in an address. */
export const CI_PROVIDERS = Object.keys(PROVIDER_WORDS)
/** A provider by its own name; one that nobody knows is called what it calls itself. */
export const providerWords = (provider: string): string =>
  Object.hasOwn(PROVIDER_WORDS, provider) ? PROVIDER_WORDS[provider]! : provider

const NOUNS: Record<string, string> = {
  gitlab: 'pipeline',
  buildkite: 'build',
  jenkins: 'build',
  circleci: 'workflow',
}
/** What the provider calls a run. */
const runWord = (provider: string): string => (Object.hasOwn(NOUNS, provider) ? NOUNS[provider]! : 'run')

/** `acme/shop, run 77, attempt 2`. */
export const ciRunWords = ({
  provider,
  path,
  run,
  attempt,
}: Pick<CiAddress, 'provider' | 'path' | 'run' | 'attempt'>): string =>
  `${path}, ${runWord(provider)} ${run}${attempt === null ? '' : `, attempt ${attempt}`}`

/** A group of executions, behind their number. */
export const CI_GROUP_WORDS: Record<CiGroup, string> = {
  failed: 'failures',
  running: 'running',
  open: 'neither failed nor succeeded',
  succeeded: 'succeeded',
}

/** Letters of an id that are no number are cut: a workflow of CircleCI is a UUID. */
export const shortRun = (run: string): string =>
  /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(run) ? `${run.slice(0, 8)}…` : run

const grouped = new Intl.NumberFormat('en')
const count = (n: number, one: string, many = `${one}s`): string =>
  `${grouped.format(n)} ${n === 1 ? one : many}`

/** What became of the executions, in one sentence: "2 of 5 executions failed; 1 is running". */
export function ciSentence({
  failed,
  open,
  succeeded,
}: {
  failed: readonly unknown[]
  open: readonly { outcome: string }[]
  succeeded: readonly unknown[]
}): string {
  const total = failed.length + open.length + succeeded.length
  if (total === 0) return 'No data yet'
  const rest = restWords(open)
  if (failed.length > 0) {
    const whole =
      failed.length === total
        ? total === 1
          ? 'The only execution failed'
          : `All ${grouped.format(total)} executions failed`
        : `${grouped.format(failed.length)} of ${count(total, 'execution')} failed`
    return [whole, ...rest].join('; ')
  }
  if (rest.length > 0)
    return [
      open.some(({ outcome }) => outcome === 'running') ? 'Nothing failed so far' : 'Nothing failed',
      ...rest,
    ].join('; ')
  return total === 1 ? 'The only execution succeeded' : `All ${grouped.format(total)} executions succeeded`
}

function restWords(open: readonly { outcome: string }[]): string[] {
  const of = (outcome: string): number => open.filter((one) => one.outcome === outcome).length
  const running = of('running')
  const cancelled = of('cancelled')
  const other = open.length - running - cancelled
  return [
    ...(running > 0 ? [`${grouped.format(running)} ${running === 1 ? 'is' : 'are'} running`] : []),
    ...(cancelled > 0 ? [`${grouped.format(cancelled)} ${cancelled === 1 ? 'was' : 'were'} cancelled`] : []),
    ...(other > 0 ? [`${grouped.format(other)} with unknown outcome`] : []),
  ]
}

/** A step that failed for more than the records of its agent hold: how those end. */
export const CI_STEP_FAILED: Record<OutcomeMessages['ci_step_failed']['inside'], string> = {
  success: 'The CI step failed, although the agent reported success',
  no_result: 'The CI step failed, and the agent reported no result',
  nothing: 'The CI step failed before the agent sent a message',
}
