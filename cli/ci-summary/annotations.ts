import { ciRunWords, ciSentence, providerWords } from '@/lib/words/ci'
import { categoryWords } from '@/lib/words/categories'
import { countOf } from '@/lib/text/amounts'
import { ciSummaryText } from '@/lib/words/cli/ci-summary'
import { githubError, inGithubLog, plainText } from './escapes'
import type { Format } from './formats'
import { answerOf, type CauseGroup } from './group-causes'
import type { NamedRun, Summary, UnreadRun } from './summary'

/** GitHub shows ten of each step, and more than that nobody reads in any log. */
const ANNOTATIONS_MAX = 10

/** What goes into the log: one sentence, an annotation for each group of the same cause, and where to look. */
export function logLines(summary: Summary, format: Format): string[] {
  const { run, job, view, groups, url } = summary
  const name = nameOf(run, job)
  const lines = summary.unknown
    ? [ciSummaryText.nothingArrived({ name }), `  ${url}`]
    : [
        `Inquest: ${ciSentence(view)} (${name}).`,
        ...annotations(summary, format),
        ...elsewhere(summary),
        ...(groups.length > 0 ? [ciSummaryText.allFailures({ url })] : []),
      ]
  return format === 'github'
    ? lines.map((line) => (line.startsWith('::error ') ? line : inGithubLog(line)))
    : lines
}

/** What goes into the log where the server could not be asked: why, and where it will stand. */
export function unreadLines({ run, job, url, because }: UnreadRun, format: Format): string[] {
  const lines = [
    ciSummaryText.failuresNotLoaded({ what: nameOf(run, job), reason: plainText(because) }),
    ...(url === null ? [] : [ciSummaryText.seeRunPage, `  ${url}`]),
  ]
  return format === 'github' ? lines.map(inGithubLog) : lines
}

const nameOf = (run: NamedRun, job: string | null): string =>
  `${plainText(providerWords(run.provider))} ${plainText(ciRunWords(run))}${job === null ? '' : `, job ${plainText(job)}`}`

function annotations({ groups, url, addressOf }: Summary, format: Format): string[] {
  const shown = groups.length > ANNOTATIONS_MAX ? groups.slice(0, ANNOTATIONS_MAX - 1) : groups
  const rest = groups.slice(shown.length)
  const all = shown.map((group) => ({
    title: titleOf(group),
    text: plainText(group.text),
    answer: answerOf(group.executions),
    address: addressOf(group.executions[0]!.id),
  }))
  if (rest.length > 0) {
    const failures = rest.flatMap(({ executions }) => executions)
    all.push({
      title: countOf(rest.length, 'more cause'),
      text: ciSummaryText.otherCauses({ failures: failures.length }),
      answer: answerOf(failures),
      address: url,
    })
  }
  return all.map(({ title, text, answer, address }) => {
    const retry = plainText(answer)
    return format === 'github'
      ? githubError(title, `${text}\n${address}\n${retry}`)
      : `  ${title}: ${text}\n    ${address}\n    ${retry}`
  })
}

/** `agent failed (process failed)`, `3 executions failed the same way (process failed): bake, plan`. */
function titleOf({ executions, category }: CauseGroup): string {
  const jobs = [...new Set(executions.flatMap(({ job }) => (job === null ? [] : [plainText(job, 60)])))]
  const kind = category === '' ? '' : ` (${plainText(categoryWords(category), 60)})`
  if (executions.length === 1) return `${jobs[0] ?? 'An execution'} failed${kind}`
  const named =
    jobs.length > 3 ? `${jobs.slice(0, 3).join(', ')} and ${jobs.length - 3} more` : jobs.join(', ')
  return `${countOf(executions.length, 'execution')} failed the same way${kind}${named === '' ? '' : `: ${named}`}`
}

export function elsewhere({ failedElsewhere, leftOut }: Summary): string[] {
  return [
    ...(failedElsewhere > 0 ? [ciSummaryText.otherJobs({ failures: failedElsewhere })] : []),
    ...(leftOut > 0 ? [ciSummaryText.notCounted({ executions: leftOut })] : []),
  ]
}
