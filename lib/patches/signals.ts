import type { ByteText } from './bytes'
import { sectionStatus } from './file-change'
import { isCheckConfig, isCiConfig, isLockFile, isSnapshotPath, isTestPath, manifestOf } from './file-kinds'
import type { FlagCode, FlagWeight, PatchFlag } from './flag-catalogue'
import { sectionName } from './numstat'
import type { Patch, PatchSection } from './patch'
import { hunkLines } from './read-hunk'
import { ADDED_LINES, assertionsIn, isLoosened } from './signal-lines'

/** What is known of the failure that a patch is for; null is not known, and then what needs it is not judged. */
export interface FailureFacts {
  /** The failing task's command, error text and end of its log: where names of the failing check stand. */
  text: string | null
  /** Declared inputs of the failing task, as patterns of paths (`*`, `**`). */
  inputs: readonly string[] | null
}

export const NOTHING_KNOWN: FailureFacts = { text: null, inputs: null }

const LISTED_MAX = 20
const LINE_CHARS_MAX = 4_000
const FILES_FEW = 10
const LINES_FEW = 400
/** Literals shorter than this stand everywhere. */
const LITERAL_CHARS_MIN = 8

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Signals that a patch changes the check and not what it checks. They inform and never decide. */
export function signalFlags(bytes: Uint8Array, { sections }: Pick<Patch, 'sections'>, failure: FailureFacts = NOTHING_KNOWN): PatchFlag[] {
  const flags: PatchFlag[] = []
  const add = (code: FlagCode, file: number | null, line: number | null = null, more: { detail?: string; weight?: FlagWeight } = {}): void =>
    void flags.push({ code, file, detail: more.detail ?? null, lines: line === null ? (file === null ? null : { start: sections[file]!.line, end: sections[file]!.line }) : { start: line, end: line }, ...(more.weight && { weight: more.weight }) })
  if (sections.length === 0) return flags
  const names = sections.map(sectionName)
  if (names.every((name) => isTestPath(name) || isSnapshotPath(name))) add('only-tests', null)
  const lower = new Set(names.map((name) => name.toLowerCase()))
  for (const [file, section] of sections.entries()) {
    const name = names[file]!
    if (sectionStatus(section) === 'D' && isTestPath(name)) add('test-file-deleted', file)
    if (isSnapshotPath(name)) add('snapshot-changed', file)
    if (isLockFile(name)) add('lockfile-changed', file, null, lower.has(manifestOf(name)) ? {} : { weight: 'high', detail: 'Its manifest is not changed.' })
    if (isCiConfig(name)) add('ci-config-changed', file)
    if (isCheckConfig(name)) add('check-config-changed', file)
    if (isNamedIn(name, failure.text)) add('touches-failing-check', file)
  }
  lineSignals(bytes, sections, failure, add)
  const changed = sections.reduce((sum, one) => sum + one.added + one.deleted, 0)
  if (sections.length > FILES_FEW || changed > LINES_FEW) add('larger-than-failure', null, null, { detail: `${sections.length} files, ${changed} lines` })
  if (failure.inputs !== null && failure.inputs.length > 0) {
    const patterns = failure.inputs.map(asExpression)
    if (!sections.some(({ oldName, newName }) => [oldName, newName].some((name) => name !== null && patterns.some((one) => one.test(name))))) add('outside-declared-inputs', null)
  }
  return flags
}

type Add = (code: FlagCode, file: number | null, line?: number | null, more?: { detail?: string; weight?: FlagWeight }) => void

/** Looks through the changed lines once: what they add, what they take away, and what took the place of what. */
function lineSignals(bytes: Uint8Array, sections: readonly PatchSection[], failure: FailureFacts, add: Add): void {
  const literals = literalsOf(failure.text)
  let assertions = 0
  const removedAt: { file: number; line: number }[] = []
  for (const [file, section] of sections.entries()) {
    const counts = new Map<FlagCode, number>()
    const tell = (code: FlagCode, line: number): void => {
      const count = (counts.get(code) ?? 0) + 1
      counts.set(code, count)
      if (count <= LISTED_MAX) add(code, file, line)
    }
    const isSource = !isTestPath(sectionName(section)) && !isSnapshotPath(sectionName(section))
    for (const hunk of section.hunks) {
      let gone: string[] = []
      for (const line of hunkLines(bytes, hunk)) {
        if (line.kind === 'context') {
          gone = []
          continue
        }
        const text = decoder.decode(bytes.subarray(line.start, Math.min(line.end, line.start + LINE_CHARS_MAX)))
        const asserted = assertionsIn(text)
        if (line.kind === 'deleted') {
          assertions -= asserted
          if (asserted > 0 && removedAt.length < LISTED_MAX) removedAt.push({ file, line: line.line })
          if (isClaims(section) && /^\s*"(?:id|claim)"\s*:/.test(text)) tell('claims-entry-removed', line.line)
          if (gone.length < LISTED_MAX) gone.push(text)
          continue
        }
        assertions += asserted
        for (const [code, rule] of ADDED_LINES) if (rule.test(text)) tell(code, line.line)
        const before = gone.shift()
        if (before !== undefined && isLoosened(before, text)) tell('assertion-loosened', line.line)
        if (isSource && literals.some((literal) => text.includes(literal))) tell('special-cased-input', line.line)
      }
    }
  }
  if (assertions < 0) for (const { file, line } of removedAt) add('assertions-net-removed', file, line, { detail: `${-assertions} fewer in all` })
}

const isClaims = (section: PatchSection): boolean => /(?:^|\/)claims\.json$/.test(sectionName(section))

/** Whether the failure names a file: by its path, or by its name where that is no common word. */
function isNamedIn(path: ByteText, text: string | null): boolean {
  if (text === null) return false
  if (text.includes(path)) return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  return isTestPath(path) && name.length >= LITERAL_CHARS_MIN && text.includes(name)
}

/** Quoted texts of the failure that are long enough to mean something. */
function literalsOf(text: string | null): string[] {
  if (text === null) return []
  const found = [...text.slice(0, 200_000).matchAll(/"([^"\n]{8,200})"|'([^'\n]{8,200})'|`([^`\n]{8,200})`/g)].map((match) => match[1] ?? match[2] ?? match[3]!)
  return [...new Set(found)].filter((one) => one.length >= LITERAL_CHARS_MIN && !/^[./\\\w-]*\.\w{1,5}$/.test(one)).slice(0, 50)
}

/** A pattern of paths: `*` within a folder, `**` over folders; a folder stands for what is in it. */
function asExpression(pattern: string): RegExp {
  const plain = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
  const source = plain.split(/(\*\*\/?|\*|\?)/).map((part) => (part === '**/' ? '(?:.*/)?' : part === '**' ? '.*' : part === '*' ? '[^/]*' : part === '?' ? '[^/]' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&'))).join('')
  return new RegExp(`^${source}(?:/.*)?$`)
}
