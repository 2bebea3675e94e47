import { ciSentence, providerWords } from '@/lib/words/ci'
import { categoryWords } from '@/lib/words/categories'
import { verdictWords } from '@/lib/words/verdicts'
import { countOf, formatCount } from '@/lib/text/amounts'
import { elsewhere } from './annotations'
import { codeBlock, codeSpan } from './escapes'
import type { CauseGroup } from './group-causes'
import type { NamedRun, Summary, UnreadRun } from './summary'
import type { CiExecution } from '@/lib/views/attempts/chain'
import { ciSummaryText } from '@/lib/words/cli/ci-summary'

/** Groups and executions that are listed one by one; a summary of GitHub may have 1 MiB. */
const GROUPS_MAX = 20
const ROWS_MAX = 10

/** The summary of a run as Markdown. Whatever came from data is in code, so that nothing in it is read as Markdown or HTML. */
export function summaryMarkdown(summary: Summary): string {
  const { run, job, view, groups, url, unknown } = summary
  const name = nameOf(run, job)
  if (unknown) return ciSummaryText.nothingArrivedSummary({ name, url })
  const [first] = groups
  return [
    `## Inquest: ${ciSentence(view)}`,
    `[${groups.length > 0 ? 'All failures' : 'All executions'} of the run](${url}): ${name}.`,
    ...(first ? [`First cause:`, codeBlock(first.text)] : []),
    ...groups.slice(0, GROUPS_MAX).map((group) => causeItem(group, summary)),
    ...(groups.length > GROUPS_MAX
      ? [`${countOf(groups.length - GROUPS_MAX, 'more cause')}: see [the run’s page](${url}).`]
      : []),
    ...elsewhere(summary),
    '',
  ].join('\n\n')
}

/** The summary where the server could not be asked. */
export const unreadMarkdown = ({ run, job, url, because }: UnreadRun): string =>
  `${[
    '## Inquest: failures unavailable',
    ciSummaryText.failuresNotLoadedSummary({ what: nameOf(run, job), reason: codeSpan(because) }),
    ...(url === null ? [] : [ciSummaryText.runPageLater({ url })]),
  ].join('\n\n')}\n`

function nameOf(run: NamedRun, job: string | null): string {
  const words = providerWords(run.provider)
  const attempt = run.attempt === null ? '' : ` attempt ${run.attempt}`
  return `${words === run.provider ? codeSpan(words) : words} ${codeSpan(run.path)} run ${codeSpan(run.run)}${attempt}${job === null ? '' : `, job ${codeSpan(job)}`}`
}

function causeItem({ text, category, executions }: CauseGroup, summary: Summary): string {
  const rows = executions.slice(0, ROWS_MAX).map((one) => `  - ${executionLine(one, summary)}`)
  const more = executions.length - rows.length
  return [
    `- ${executions.length === 1 ? '' : `**${formatCount(executions.length)} ×** `}${category === '' ? '' : `${codeSpan(categoryWords(category), 60)} `}${codeSpan(text, 300)}`,
    ...rows,
    ...(more > 0 ? [`  - and ${formatCount(more)} more`] : []),
  ].join('\n')
}

function executionLine(execution: CiExecution, { addressOf }: Summary): string {
  const { id, job, ciAttempt, outcome } = execution
  const answer = verdictWords(execution)
  const facts = [outcome, `${answer.charAt(0).toLowerCase()}${answer.slice(1)}`].filter((fact) =>
    /^[A-Za-z :.,]+$/.test(fact),
  )
  return `[Why it failed](${addressOf(id)}): ${job === null ? 'no job name' : codeSpan(job, 120)}${ciAttempt === null ? '' : `, attempt ${ciAttempt}`}${facts.length === 0 ? '' : `, ${facts.join(', ')}`}`
}
