import { redactWith } from '../../text/redaction/redact'
import { mayHoldCredential } from '../../text/redaction/prefilter'
import { loadRules, type FindSecrets } from '../../text/redaction/rules'
import { LF, lineEnd, hasTextAt } from '../patches/bytes'
import type { PatchFlag } from '../../model/flags'
import type { ByteRange, Patch, PatchSection } from '../patches/patch'
import { keyLines } from './key-lines'
import { boundRuns, joinRuns, linesHolding, type PlacedRun, type SecretRun, zonesOf } from './secret-runs'

/** Version of what is looked for: a patch that was read by another one is read again. */
export const SECRET_RULES = '2'

/** Runs of lines that have a flag of their own: of each file, and of what belongs to none. All are masked. */
const FLAGGED_MAX = 20
/** Bytes that are searched at once: most hold nothing, and one look is quicker than one for each line. */
const WINDOW_BYTES = 64 * 1024
const KEY_NAME = 'PRIVATE KEY'
const [BACKSLASH, PLUS, MINUS] = [0x5c, 0x2b, 0x2d]

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end))

export interface FoundSecrets {
  flags: PatchFlag[]
  /** Every line that is masked where the patch is shown. The header of a file that git reads is not among them: its name is shown anyway. */
  runs: SecretRun[]
}

/**
 * Lines in which the rules for secrets find something: those of hunks, and all others too, because a message around the patch and a patch that git
 * refuses are shown and downloaded like any other. A mail address is none: authors are in most files. A private key is looked for in the lines of
 * one side of a hunk together.
 *
 * @param known ranges that hold what is known to be one; their lines are found, wherever they are
 */
export async function findSecrets(
  bytes: Uint8Array,
  patch: Pick<Patch, 'sections' | 'verdict'>,
  known: readonly ByteRange[] = [],
): Promise<FoundSecrets> {
  const { sections, verdict } = patch
  const runs = joinRuns([
    ...linesHolding(bytes, known, zonesOf(patch)),
    ...(await linesByRule(bytes, zonesOf(patch))),
    ...linesOfKeys(bytes, zonesOf(patch)),
  ])
  const isShown = ({ byteStart }: PlacedRun): boolean => {
    const file = verdict === 'error' ? null : fileAt(sections, byteStart)
    return file === null || byteStart >= sections[file]!.bodyStart
  }
  return { flags: flagsOf(runs, sections), runs: boundRuns(bytes, runs.filter(isShown)) }
}

async function linesByRule(bytes: Uint8Array, zoneAt: (byte: number) => number): Promise<PlacedRun[]> {
  const runs: PlacedRun[] = []
  let line = 1
  for (let start = 0; start < bytes.length; ) {
    const end = lineEnd(bytes, Math.min(start + WINDOW_BYTES, bytes.length - 1))
    const find = mayHoldCredential(textOf(bytes, start, end)) ? await loadRules() : null
    for (let at = start; at < end; line++) {
      const next = lineEnd(bytes, at)
      if (find !== null && holdsSecret(find, textOf(bytes, at, next))) {
        const [last, zone] = [runs.at(-1), zoneAt(at)]
        if (last !== undefined && last.byteEnd === at && last.zone === zone)
          [last.end, last.byteEnd] = [line, next]
        else runs.push({ start: line, end: line, byteStart: at, byteEnd: next, zone })
      }
      at = next
    }
    start = end
  }
  return runs
}

const holdsSecret = (find: FindSecrets, text: string): boolean =>
  mayHoldCredential(text) && redactWith(find, text).marks.some(({ rule }) => !/mail/.test(rule))

/** Lines of private keys. Only parts of the patch that name one are walked line by line. */
function linesOfKeys(bytes: Uint8Array, zoneAt: (byte: number) => number): PlacedRun[] {
  const runs: PlacedRun[] = []
  const zones = zonesWithKeys(bytes, zoneAt)
  if (zones.size === 0) return runs
  const tell = (run: PlacedRun): void => void runs.push(run)
  let sides = { zone: -1, old: keyLines(tell), fresh: keyLines(tell) }
  const endSides = (): void => {
    sides.old.end()
    sides.fresh.end()
  }
  for (let [at, line] = [0, 1]; at < bytes.length; line++) {
    const next = lineEnd(bytes, at)
    const zone = zoneAt(at)
    if (zone !== sides.zone) {
      endSides()
      sides = { zone, old: keyLines(tell), fresh: keyLines(tell) }
    }
    if (zones.has(zone)) {
      const [first, isHunk] = [bytes[at]!, zone % 2 === 1]
      const place: PlacedRun = { start: line, end: line, byteStart: at, byteEnd: next, zone }
      const text = textOf(bytes, isHunk && first !== LF ? at + 1 : at, next).trimEnd()
      if (!isHunk || (first !== PLUS && first !== BACKSLASH)) sides.old.add({ place, text })
      if (isHunk && first !== MINUS && first !== BACKSLASH) sides.fresh.add({ place, text })
    }
    at = next
  }
  endSides()
  return runs
}

function zonesWithKeys(bytes: Uint8Array, zoneAt: (byte: number) => number): ReadonlySet<number> {
  const zones = new Set<number>()
  const first = KEY_NAME.charCodeAt(0)
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (hasTextAt(bytes, at, KEY_NAME)) zones.add(zoneAt(at))
  return zones
}

function flagsOf(runs: readonly PlacedRun[], sections: readonly PatchSection[]): PatchFlag[] {
  const flags: PatchFlag[] = []
  const listed = new Map<number | null, { last: PatchFlag; runs: number; linesMore: number }>()
  for (const { start, end, byteStart } of runs) {
    const file = fileAt(sections, byteStart)
    const before = listed.get(file)
    if (before !== undefined && before.runs >= FLAGGED_MAX) {
      before.linesMore += end - start + 1
      before.last.detail = { id: 'more_lines', params: { count: before.linesMore, inFile: file !== null } }
      continue
    }
    const flag: PatchFlag = { code: 'content-secret', file, detail: null, lines: { start, end } }
    flags.push(flag)
    listed.set(file, { last: flag, runs: (before?.runs ?? 0) + 1, linesMore: 0 })
  }
  return flags
}

function fileAt(sections: readonly PatchSection[], byte: number): number | null {
  let [low, high] = [0, sections.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sections[middle]!.start <= byte) low = middle
    else high = middle - 1
  }
  const section = sections[low]
  return section && section.start <= byte && byte < section.end ? low : null
}
