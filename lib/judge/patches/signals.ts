import { dropsClaims } from './claims'
import { sectionStatus } from './file-change'
import { isCheckConfig, isCiConfig, isLockFile, isSnapshotPath, isTestPath, manifestsOf } from './file-kinds'
import type { FlagCode, FlagWeight, PatchFlag } from '../../model/flags'
import type { FlagDetail } from '../../model/messages/patches'
import { inputMatcher } from './input-patterns'
import { lineSignals } from './line-signals'
import { failingCheckFiles, type FailureWords } from './named-files'
import { sectionName } from './numstat'
import type { Patch, PatchSection } from './patch'

/** What is known of the failure that a patch is for; null is not known, and then what needs it is not judged. */
export interface FailureFacts extends FailureWords {
  /** Declared inputs of the failing task, as patterns of paths (`*`, `**`, `{a,b}`, `!`). */
  inputs: readonly string[] | null
}

export const NOTHING_KNOWN: FailureFacts = { text: null, inputs: null }

const FILES_FEW = 10
const LINES_FEW = 400
/** Literals shorter than this are everywhere. */
const LITERAL_CHARS_MIN = 8
/** Files that are held against declared inputs; of a larger patch nobody can say that it has nothing to do with the task. */
const FILES_COMPARED_MAX = 3_000

/** Signals that a patch changes the check and not what it checks. They inform and never decide. */
export function signalFlags(
  bytes: Uint8Array,
  { sections }: Pick<Patch, 'sections'>,
  failure: FailureFacts = NOTHING_KNOWN,
): PatchFlag[] {
  const flags: PatchFlag[] = []
  const add = (
    code: FlagCode,
    file: number | null,
    line: number | null = null,
    more: { detail?: FlagDetail; weight?: FlagWeight } = {},
  ): void =>
    void flags.push({
      code,
      file,
      detail: more.detail ?? null,
      lines:
        line === null
          ? file === null
            ? null
            : { start: sections[file]!.line, end: sections[file]!.line }
          : { start: line, end: line },
      ...(more.weight && { weight: more.weight }),
    })
  if (sections.length === 0) return flags
  const names = sections.map(sectionName)
  if (names.every((name) => isTestPath(name) || isSnapshotPath(name))) add('only-tests', null)
  const isOfCheck = failingCheckFiles(failure)
  const manifests = new Set(names.flatMap((name) => [name.toLowerCase(), anyOfKind(name.toLowerCase())]))
  for (const [file, section] of sections.entries()) {
    const name = names[file]!
    if (sectionStatus(section) === 'D' && isTestPath(name)) add('test-file-deleted', file)
    if (isSnapshotPath(name)) add('snapshot-changed', file)
    if (isLockFile(name))
      add(
        'lockfile-changed',
        file,
        null,
        manifestsOf(name).some((one) => manifests.has(one))
          ? {}
          : { weight: 'high', detail: { id: 'manifest_unchanged', params: {} } },
      )
    if (namesOf(section).some(isCiConfig)) add('ci-config-changed', file)
    if (namesOf(section).some(isCheckConfig)) add('check-config-changed', file)
    if (namesOf(section).some(isOfCheck)) add('touches-failing-check', file)
    if (dropsClaims(section)) add('claims-entry-removed', file)
  }
  lineSignals(
    bytes,
    sections,
    literalsOf([failure.text, failure.logTail].filter((one) => one != null).join('\n')),
    (code, file, line, detail) => add(code, file, line, { detail }),
  )
  const changed = sections.reduce((sum, one) => sum + one.added + one.deleted, 0)
  if (sections.length > FILES_FEW || changed > LINES_FEW)
    add('larger-than-failure', null, null, {
      detail: { id: 'size', params: { files: sections.length, lines: changed } },
    })
  if (failure.inputs !== null && failure.inputs.length > 0 && sections.length <= FILES_COMPARED_MAX) {
    const isInput = inputMatcher(failure.inputs)
    if (isInput !== null && !sections.some((section) => namesOf(section).some(isInput)))
      add('outside-declared-inputs', null)
  }
  return flags
}

const namesOf = ({ oldName, newName }: PatchSection): string[] =>
  [...new Set([oldName, newName])].filter((name) => name !== null)

/** `src/a.csproj` as `src/*.csproj`. */
function anyOfKind(name: string): string {
  const dot = name.lastIndexOf('.')
  const slash = name.lastIndexOf('/')
  return dot > slash ? `${name.slice(0, slash + 1)}*${name.slice(dot)}` : name
}

/** Quoted texts of the failure that are long enough to mean something. */
function literalsOf(text: string): string[] {
  const found = [
    ...text.slice(0, 200_000).matchAll(/"([^"\n]{8,200})"|'([^'\n]{8,200})'|`([^`\n]{8,200})`/g),
  ].map((match) => match[1] ?? match[2] ?? match[3]!)
  return [...new Set(found)]
    .filter((one) => one.length >= LITERAL_CHARS_MIN && !/^[./\\\w-]*\.\w{1,5}$/.test(one))
    .slice(0, 50)
}
