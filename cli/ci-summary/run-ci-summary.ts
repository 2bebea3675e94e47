import { isRetriedByJob } from '@/lib/views/ci/ci-view'
import { CliFailure } from '../exit-codes'
import type { ExitName } from '../exit-codes'
import { ciVariable, findCiRun } from '../find-ci-run'
import { createClient } from '../http'
import type { Output } from '../output'
import { readAddress, readSettings } from '../settings'
import type { Environment } from '../settings'
import { logLines, unreadLines } from './annotations'
import { askCiRun } from './ask-ci-run'
import { inGithubLog } from './escapes'
import { FORMATS, type Format } from './formats'
import { writeJobFile } from './job-file'
import { jobLinks } from './job-links'
import { summaryMarkdown, unreadMarkdown } from './markdown'
import { runAddress, summarise, type NamedRun, type Summary, type UnreadRun } from './summary'
import { summaryDocument, unreadDocument } from './summary-document'
import { ciSummaryText } from '@/lib/words/cli/ci-summary'

export interface CiSummaryFlags {
  format?: Format
  provider?: string
  path?: string
  run?: string
  attempt?: string
  job?: string
  output?: string
  annotations?: string
  project?: string
  wait: number
}

/**
 * Tells a CI job what failed in its run: annotations in the log, a summary with links. Failures are what it is there to tell, so they are no
 * failure of its own: the status says whether it could.
 */
export async function runCiSummary(
  flags: CiSummaryFlags,
  env: Environment,
  output: Output,
  signal: AbortSignal,
): Promise<ExitName> {
  const run = nameRun(flags, env)
  const format = flags.format ?? FORMATS.find((one) => one === run.provider) ?? 'plain'
  const base = readAddress(env)
  const url = base && runAddress(run, base)
  // Known before anything is asked, so that the steps that follow have it also where the server is away.
  const outputs = format === 'github' && set(env.GITHUB_OUTPUT) ? env.GITHUB_OUTPUT : null
  if (outputs !== null && url !== null) writeJobFile(outputs, `url=${url}\n`, 'append')
  let summary: Summary
  try {
    summary = await ask(run, flags, env, signal)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const unread = { run, job: flags.job ?? null, url, because: error.message }
    reportUnread(unread, flags, format, env, output)
    const later = error.exit === 'unreachable' && url !== null ? ciSummaryText.seeFailuresAt({ url }) : ''
    throw new CliFailure(error.exit, `${error.message}${later}`, {
      cause: error,
      document: unreadDocument(unread),
    })
  }
  for (const line of logLines(summary, format)) output.line(line)
  writeSummary(summaryMarkdown(summary), flags, format, env, output)
  if (flags.annotations !== undefined)
    writeJobFile(flags.annotations, `${JSON.stringify(jobLinks(summary), null, 2)}\n`, 'write')
  if (outputs !== null) writeJobFile(outputs, `failures=${summary.view.failed.length}\n`, 'append')
  output.record(summaryDocument(summary))
  return summary.unknown ? 'partly' : 'fine'
}

async function ask(
  run: NamedRun,
  flags: CiSummaryFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<Summary> {
  const job = flags.job ?? null
  const client = createClient(readSettings(env))
  try {
    return summarise(
      await askCiRun(client, { run, job, project: flags.project, waitS: flags.wait }, signal),
      run,
      job,
      client.settings.url,
    )
  } finally {
    client.close()
  }
}

/** Tells what is known without the server: why it could not be asked, and the page that will show it. */
function reportUnread(
  unread: UnreadRun,
  flags: CiSummaryFlags,
  format: Format,
  env: Environment,
  output: Output,
): void {
  for (const line of unreadLines(unread, format)) output.line(line)
  writeSummary(unreadMarkdown(unread), flags, format, env, output)
  const { url } = unread
  if (flags.annotations !== undefined && url !== null)
    writeJobFile(
      flags.annotations,
      `${JSON.stringify(jobLinks({ url, groups: [], addressOf: () => url }), null, 2)}\n`,
      'write',
    )
}

const set = (value: string | undefined): value is string => value !== undefined && value !== ''

/** Where the Markdown goes: the file that is named, else the summary of the GitHub job, else standard output below the lines. */
function writeSummary(
  markdown: string,
  { output: file }: CiSummaryFlags,
  format: Format,
  env: Environment,
  output: Output,
): void {
  if (file !== undefined && file !== '-') writeJobFile(file, markdown, 'write')
  else if (file === undefined && set(env.GITHUB_STEP_SUMMARY))
    writeJobFile(env.GITHUB_STEP_SUMMARY, `${markdown}\n`, 'append')
  else
    for (const line of ['', ...markdown.split('\n')])
      output.line(format === 'github' ? inGithubLog(line) : line)
}

/** The run that the environment names, with what the command line says above it. */
function nameRun(flags: CiSummaryFlags, env: Environment): NamedRun {
  const given = { PROVIDER: flags.provider, PATH: flags.path, RUN: flags.run, ATTEMPT: flags.attempt }
  const named = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[ciVariable(name), value] as const],
  )
  const { provider, path, run, attempt } = findCiRun(
    { ...env, ...Object.fromEntries(named) },
    (part) => `--${part} or ${ciVariable(part)}`,
  )
  // Where each job counts its own attempts, the number of this job says nothing about the others.
  const byJob = isRetriedByJob(provider) && flags.attempt === undefined
  return { provider, path, run, attempt: byJob ? null : attempt }
}
