import type { ApplyNote, ApplyStepName } from '../../model/apply-steps'
import { applyOptions } from '../../judge/fixes/apply-options'

/** One step of applying a patch, and the line to type. */
export interface ApplyStep {
  step: ApplyStepName
  command: string
  /** Null when there is nothing to say of it. */
  note: ApplyNote | null
}

/** Quotes a word for a POSIX shell; a word that needs no quotes stays as it is. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Parts of a branch's name: what git refuses becomes a dash. */
const branchPart = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, 60)
    .replace(/^[.-]+|(?:[.-]|\.lock)+$/g, '') || 'fix'

export interface ApplyFacts {
  address: string
  digest: string
  fileName: string
  /** Id of the run at its source. */
  run: string
  task: string
  baseCommit: string | null
  /** The folder of the repository that the patch was made in; null: its top. */
  subDir: string | null
  codes: readonly string[]
}

/**
 * How a person applies a patch by hand, in order: fetch and verify, a clean tree on its own branch, check, apply, compare, run again.
 *
 * @param facts.codes findings of the patch; some need another way to call git
 * @see docs/fixes.md#applying
 */
export function applySteps({
  address,
  digest,
  fileName,
  run,
  task,
  baseCommit,
  subDir,
  codes,
}: ApplyFacts): ApplyStep[] {
  // Beside the work tree: a file of its own in the tree would make that a changed one.
  const file = `"$(git rev-parse --git-dir)"/${shellWord(fileName)}`
  const branch = shellWord(`fix/${branchPart(run)}/${branchPart(task)}`)
  const options = [
    '--index',
    '--whitespace=nowarn',
    ...applyOptions({ codes, subDir }).map((option) =>
      option.replace(/(?<==).*/s, (value) => shellWord(value)),
    ),
  ].join(' ')
  return [
    {
      step: 'download',
      note: 'scope',
      command: `curl -fsS -H "Authorization: Bearer $INQUEST_TOKEN" -o ${file} ${shellWord(address)} && (cd "$(git rev-parse --git-dir)" && echo ${shellWord(`${digest}  ${fileName}`)} | sha256sum --check)`,
    },
    {
      step: 'branch',
      command: `test -z "$(git status --porcelain)" && git switch -c ${branch}${baseCommit === null ? '' : ` ${shellWord(baseCommit)}`}`,
      note: baseCommit === null ? 'base-unknown' : null,
    },
    { step: 'check', command: `git apply --check ${options} ${file}`, note: null },
    { step: 'apply', command: `git apply ${options} ${file}`, note: null },
    { step: 'compare', command: 'git diff --cached --stat', note: null },
    ...(task === ''
      ? []
      : [
          {
            step: 'run' as const,
            command: `async-pipeline run-task ${shellWord(task)}`,
            note: 'async-pipeline' as const,
          },
        ]),
  ]
}
