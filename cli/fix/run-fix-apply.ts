import { applyOptions } from '@/lib/judge/fixes/apply-options'
import { links } from '@/lib/links'
import { oneLine } from '@/lib/text/visible'
import { countOf } from '@/lib/text/amounts'
import { CliFailure } from '../exit-codes'
import { createClient } from '../http'
import type { Output } from '../output'
import { readSettings, type Environment } from '../settings'
import { downloadFix } from './download-fix'
import { git, nulList } from './git'
import type { FixDetail } from '@/lib/model/fix'
import { fixText } from '@/lib/words/cli/fix'

export interface FixApplyFlags {
  check?: boolean
  dirty?: boolean
  anyway?: boolean
}

/** What `inquest fix apply` ends with. Statuses 2 to 5 are those of every verb. */
export const fixApplyExit = { applied: 0, refused: 1 } as const

const LISTED_MAX = 20
const OVER: readonly string[] = ['rejected', 'superseded', 'expired']

/** Why it was not applied: one line, and names below it. */
class Refused extends Error {
  constructor(
    message: string,
    readonly names: readonly string[] = [],
  ) {
    super(message)
  }
}

/**
 * Applies a fix in the repository of the current folder, all of it or nothing: index and files change together, nothing is committed.
 */
export async function runFixApply(
  id: string,
  flags: FixApplyFlags,
  env: Environment,
  output: Output,
  folder = process.cwd(),
): Promise<number> {
  const client = createClient(readSettings(env))
  try {
    const { fix, bytes } = await downloadFix(client, id)
    const page = new URL(links.fix(fix.id), client.settings.url).href
    try {
      return tell(await apply(fix, bytes, flags, folder), fix, page, output)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      output.record({ id: fix.id, applied: false, why: error.message, files: error.names })
      output.note(`inquest: ${error.message}`)
      for (const name of error.names.slice(0, LISTED_MAX)) output.note(`  ${oneLine(name)}`)
      if (error.names.length > LISTED_MAX)
        output.note(`  … and ${countOf(error.names.length - LISTED_MAX, 'more file')}`)
      return fixApplyExit.refused
    }
  } finally {
    client.close()
  }
}

type Done = { done: 'applied' | 'would apply' | 'already applied'; top: string }

async function apply(
  fix: FixDetail,
  bytes: Uint8Array,
  { check, dirty, anyway }: FixApplyFlags,
  folder: string,
): Promise<Done> {
  if (fix.reading.verdict === 'error')
    throw new Refused(fixText.unreadablePatch({ problem: fix.reading.problem }))
  if (!fix.reading.safe) throw new Refused(fixText.unsafePatch({ blocking: fix.reading.blocking }))
  if (OVER.includes(fix.state) && !anyway)
    throw new Refused(fixText.fixClosed({ state: fix.state, supersededBy: fix.supersededBy }))
  const top = await topOf(folder)
  const how = applyOptions({ codes: fix.reading.warnings, subDir: fix.base.subDir })
  const touched = nulList((await asked(top, ['apply', '--numstat', '-z', ...how], bytes)).out).map((entry) =>
    entry.slice(entry.indexOf('\t', entry.indexOf('\t') + 1) + 1),
  )
  // Asked first: what was applied and is not committed is a change, too.
  if ((await git(top, ['apply', '--check', '--reverse', '--index', ...how], bytes)).status === 0)
    return { done: 'already applied', top }
  await refuseCollisions(top, new Set(touched), dirty === true)
  const checked = await git(top, ['apply', '--check', '--index', ...how], bytes)
  if (checked.status !== 0) throw new Refused(fixText.patchDoesNotFit, linesOf(checked.err))
  if (check) return { done: 'would apply', top }
  const applied = await git(top, ['apply', '--index', ...how], bytes)
  if (applied.status !== 0) throw new Refused(fixText.gitFailed, linesOf(applied.err))
  return { done: 'applied', top }
}

async function topOf(folder: string): Promise<string> {
  const { status, out } = await git(folder, ['rev-parse', '--show-toplevel'])
  if (status !== 0) throw new Refused(fixText.notInRepository)
  return out.toString('utf8').replace(/\n$/, '')
}

async function asked(top: string, args: readonly string[], input?: Uint8Array) {
  const answer = await git(top, args, input)
  if (answer.status !== 0)
    throw new CliFailure('failed', `git ${args[0]} ended with ${answer.status}: ${oneLine(answer.err)}.`)
  return answer
}

/** Changes that are not committed stay as they are: with any of them, or with files of one's own in the way, nothing is applied. */
async function refuseCollisions(top: string, touched: Set<string>, allowsDirty: boolean): Promise<void> {
  const entries = nulList(
    (
      await asked(top, [
        'status',
        '--porcelain=v1',
        '-z',
        '--untracked-files=all',
        '--ignored=matching',
        '--no-renames',
      ])
    ).out,
  ).map((entry) => ({ state: entry.slice(0, 2), name: entry.slice(3) }))
  const isTracked = ({ state }: { state: string }): boolean => state !== '??' && state !== '!!'
  const changed = entries
    .filter(isTracked)
    .filter(({ name }) => !allowsDirty || touched.has(name))
    .map(({ name }) => name)
  if (changed.length > 0)
    throw new Refused(allowsDirty ? fixText.filesHaveChanges : fixText.treeHasChanges, changed)
  const inTheWay = entries
    .filter((entry) => !isTracked(entry))
    .map(({ name }) => name)
    .filter((name) =>
      [...touched].some(
        (path) =>
          path === name ||
          (name.endsWith('/') ? path.startsWith(name) : path.startsWith(`${name}/`)) ||
          name.startsWith(`${path}/`),
      ),
    )
  if (inTheWay.length > 0) throw new Refused(fixText.overwritesUntracked, inTheWay)
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.replace(/^error: /, ''))

function tell({ done, top }: Done, fix: FixDetail, page: string, output: Output): number {
  const { files, additions, deletions } = fix.reading
  output.record({
    id: fix.id,
    applied: done === 'applied',
    result: done,
    sha256: fix.sha256,
    state: fix.state,
    files,
    top,
    page,
  })
  output.line(
    `${done}: ${countOf(files, 'file')}, +${additions} -${deletions}, SHA-256 ${fix.sha256} (in ${top})`,
  )
  if (done !== 'applied') return fixApplyExit.applied
  if (fix.state !== 'approved') output.line(fixText.notApproved({ state: fix.state }))
  output.line(fixText.nothingCommitted({ page }))
  return fixApplyExit.applied
}
