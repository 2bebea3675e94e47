import { CLAIMS_LINE_CHARS_MAX, claimsIn, isClaims } from './claims'
import { isCheckConfig, isSnapshotPath, isTestPath, lineKind } from './file-kinds'
import type { FlagCode } from '../../model/flags'
import type { FlagDetail } from '../../model/messages/patches'
import { limitsOf, loosenedLines, type LineLimits } from './loosened'
import { settingsOfChecks } from './manifest-lines'
import { sectionName } from './numstat'
import type { PatchSection } from './patch'
import { hunkLines, type HunkLine } from './read-hunk'
import { addedCodes, assertionsIn, watchHandlers } from './signal-lines'

export type TellLine = (code: FlagCode, file: number, line: number, detail?: FlagDetail) => void

/** Lines of one code in one file that are listed, and lines of one change that are held against each other. */
const LISTED_MAX = 20
const COMPARED_MAX = 40
const LINE_CHARS_MAX = 4_000

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Looks through the changed lines once: what they add, what they take away, and what took the place of what. @param literals texts of the failure */
export function lineSignals(
  bytes: Uint8Array,
  sections: readonly PatchSection[],
  literals: readonly string[],
  add: TellLine,
): void {
  let assertions = 0
  const removedAt: { file: number; line: number }[] = []
  for (const [file, section] of sections.entries()) {
    const counts = new Map<FlagCode, number>()
    const tell = (code: FlagCode, line: number): void => {
      const count = (counts.get(code) ?? 0) + 1
      counts.set(code, count)
      if (count <= LISTED_MAX) add(code, file, line)
    }
    for (const line of lookAtSection(bytes, section, literals, tell)) {
      assertions += line.added - line.deleted
      if (line.deleted > 0 && removedAt.length < LISTED_MAX) removedAt.push({ file, line: line.line })
    }
  }
  if (assertions < 0)
    for (const { file, line } of removedAt)
      add('assertions-net-removed', file, line, { id: 'fewer_assertions', params: { count: -assertions } })
}

/** @returns changed lines that assert something, with how many assertions are on each */
function* lookAtSection(
  bytes: Uint8Array,
  section: PatchSection,
  literals: readonly string[],
  tell: (code: FlagCode, line: number) => void,
): Generator<{ line: number; added: number; deleted: number }, void> {
  const name = sectionName(section)
  const isTest = isTestPath(name)
  const place = { kind: lineKind(name), isTest }
  const isConfig = isCheckConfig(name) || /(?:^|\/)(?:package\.json|pyproject\.toml)$/.test(name)
  const isSource = !isTest && !isSnapshotPath(name)
  const claims = isClaims(section) ? { gone: new Map<string, number>(), added: new Set<string>() } : null
  const charsMax = claims === null ? LINE_CHARS_MAX : CLAIMS_LINE_CHARS_MAX
  const textOf = ({ start, end }: HunkLine): string =>
    decoder.decode(bytes.subarray(start, Math.min(end, start + charsMax)))
  for (const hunk of section.hunks) {
    const setsChecks = settingsOfChecks(name)
    const ofHandlers = watchHandlers()
    let gone: LineLimits[] = []
    let fresh: { limits: LineLimits; line: number }[] = []
    const compare = (): void => {
      if (gone.length > 0) for (const { line } of loosenedLines(gone, fresh)) tell('assertion-loosened', line)
      gone = []
      fresh = []
    }
    for (const line of hunkLines(bytes, hunk)) {
      const text = line.kind !== 'context' || place.kind === 'code' || setsChecks !== null ? textOf(line) : ''
      if (place.kind === 'code') {
        const handler = ofHandlers(text, line.kind, line.line)
        if (handler !== null) tell('exit-code-masked', handler)
      }
      if (setsChecks?.(text) && line.kind !== 'context') tell('check-config-changed', line.line)
      if (line.kind === 'context') {
        compare()
        continue
      }
      const asserted = assertionsIn(text)
      if (line.kind === 'deleted') {
        if (asserted > 0) yield { line: line.line, added: 0, deleted: asserted }
        if (fresh.length > 0) compare()
        if (gone.length < COMPARED_MAX) gone.push(limitsOf(text, isConfig))
        for (const claim of claims === null ? [] : claimsIn(text))
          if (!claims!.gone.has(claim)) claims!.gone.set(claim, line.line)
        continue
      }
      if (asserted > 0) yield { line: line.line, added: asserted, deleted: 0 }
      for (const code of addedCodes(text, place)) tell(code, line.line)
      if (gone.length > 0 && fresh.length < COMPARED_MAX)
        fresh.push({ limits: limitsOf(text, isConfig), line: line.line })
      for (const claim of claims === null ? [] : claimsIn(text)) claims!.added.add(claim)
      if (isSource && literals.some((literal) => text.includes(literal)))
        tell('special-cased-input', line.line)
    }
    compare()
  }
  if (claims !== null)
    for (const [claim, line] of claims.gone) if (!claims.added.has(claim)) tell('claims-entry-removed', line)
}
