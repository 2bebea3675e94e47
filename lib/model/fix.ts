import type { PROPOSED_ORIGINS } from './fix-states'
import type { FlagDetail, ReadingProblem } from './messages/patches'

export interface FixBase {
  repository: string | null
  commit: string | null
  tree: string | null
  branch: string | null
  /** Whether the tree held changes of its own; null: not known. */
  dirty: boolean | null
  dirtyDigest: string | null
  subDir: string | null
}

export interface FixBudget {
  attempts: {
    limit: number | null
    used: number | null
  }
  wallClockMs: {
    limit: number | null
    used: number | null
  }
  /** Completed, attempts, wall-clock, error or another word of the producer. */
  endedBy: string | null
}

export interface FixAgent {
  name: string | null
  version: string | null
  profile: string | null
  model: string | null
  promptSha256: string | null
  policySha256: string | null
  grantedCommands: string[] | null
  /** What the agent worked in and how it was made. */
  workspace: string | null
  /** Checkout, sandbox, container or another word of the producer. */
  workspaceKind: string | null
  /** Its id: verification names the one it ran in. */
  workspaceId: string | null
}

export interface FixVerification {
  /** reproduce-before, after-patch or another word of the producer. */
  phase: string
  argv: string[]
  exitCode: number | null
  startedAt: string | null
  durationMs: number | null
  outputSha256: string | null
  outputTail: string | null
  /** Workspace that it ran in. */
  workspaceId: string | null
}

export interface FixReason {
  /** Name of a file as the list of files has it, or one of its two names. */
  file: string
  /** Line of the new file, which stands for its hunk; null: about the whole file. */
  line: number | null
  text: string
}

/** What a proposer says beside the bytes. Everything may be left out: what is not said is unknown. */
export interface FixProposal {
  task: string
  title: string | null
  /** Why the change mends the failure, in the words of who proposes it. */
  explanation: string | null
  origin: (typeof PROPOSED_ORIGINS)[number]
  fileName: string | null
  /** Digest of the patch; the proposal is refused when the bytes have another one. */
  sha256?: string
  base: FixBase
  budget: FixBudget
  agent: FixAgent
  verification: FixVerification[]
  contextPackSha256: string | null
  /** Why single hunks or files are as they are. */
  reasons: FixReason[]
  /** Manual or ci: how the run was started. */
  mode: string | null
  /** What allowed proposing in this mode. */
  enabledBy: string | null
  /** Declared inputs of the failing task, as patterns of paths. */
  inputs: string[] | null
  proposedAt: string | null
  expiresAt: string | null
  /** The fix that this one takes the place of. */
  supersedes: string | null
}

/** A flag as rules find it; its texts are made from its code and its detail. */
export type FoundFlag = Omit<FixFlag, 'sentence' | 'detail'> & { detail: FlagDetail | null }

export interface FixFlag {
  /** Safety, or signal for one of gaming the check. */
  family: string
  code: string
  /** Blocking, warning; high, medium, low. */
  weight: string
  /** The text of the day. */
  sentence: string
  detail: string | null
  /** Place of the file in the patch, from 0. */
  file: number | null
  /** Lines of the patch, from 1, both counted in. */
  lines: {
    start: number
    end: number
  } | null
}

/** A flag as a row keeps it: rows of older versions hold its texts alone. */
export type StoredFlag = FixFlag & { detailMessage?: FlagDetail | null }

export interface FixFile {
  ordinal: number
  /** A M D R C; T: another kind of file, as a link that was a file. Where the section before takes the old one away, T is at the one that makes the new one. */
  status: string
  /** As git lists it, with what is not text made visible. */
  name: string
  /** The bytes of the name where it is not UTF-8. */
  nameBase64: string | null
  oldName: string | null
  /** The bytes of the old name where it is not UTF-8. */
  oldNameBase64: string | null
  newName: string | null
  oldMode: string | null
  newMode: string | null
  /** Id of the file before, as its index line states it, often shortened; null: not stated, or no file. */
  oldBlob: string | null
  /** The same of the file after. */
  newBlob: string | null
  similarity: number | null
  binary: boolean
  additions: number | null
  deletions: number | null
  hunks: number
  byteStart: number
  byteEnd: number
  /** Its first line in the patch, from 1. */
  line: number
  /** Of its bytes in the patch: what a mark "viewed" holds on to. */
  sha256: string
}

export interface FixReadingSummary {
  /** Whether git takes it: git apply --numstat; unknown while it is not read. */
  verdict: 'ok' | 'error' | 'unknown'
  problem: string | null
  files: number
  additions: number
  deletions: number
  hunks: number
  /** No flag of it is blocking. */
  safe: boolean
  blocking: string[]
  warnings: string[]
  signals: {
    code: string
    weight: string
  }[]
  /** Version of the rules that it was read by. */
  rules: string
}

/** What rules find in a patch. */
export type FoundReading = Omit<FixReadingSummary, 'problem'> & { problem: ReadingProblem | null }

/** The same as a row keeps it: rows of older versions hold the text of the problem alone. */
export type StoredReading = FixReadingSummary & { problemMessage?: ReadingProblem | null }

export interface FixByteFacts {
  endsWithNewline: boolean
  byteOrderMark: boolean
  lineEndings: string
  validUtf8: boolean
  hasNul: boolean
  longestLine: number
  replacementCharacters: number
}

export interface FixItem {
  id: string
  project: string
  executionId: string
  executionTitle: string | null
  executionOutcome: string | null
  /** Cause sentence of the failure. */
  cause: string | null
  task: string
  ordinal: number
  title: string | null
  origin: string
  /** One of `FIX_STATES`. */
  state: string
  /** Counts the changes of the state; a review names the one that it has seen. */
  version: number
  sha256: string
  size: number
  proposedBy: string
  /** Proposed in a run of CI, and nothing says that proposing there was enabled. */
  notEnabled: boolean
  agent: string | null
  model: string | null
  /** What the evidence of the proposer comes to. */
  verdict: string
  reading: FixReadingSummary
  comments: number
  supersedes: string | null
  supersededBy: string | null
  proposedAt: string | null
  receivedAt: string
  changedAt: string
  expiresAt: string | null
  url: string
}

export interface FixReview {
  id: string
  version: number
  from: string
  to: string
  by: string
  at: string
  sha256: string
  comment: string
  acknowledged: string[]
  /** What the person reports who applied it; null for other reviews. */
  applied: {
    how: string
    commit: string | null
    exact: boolean | null
  } | null
  /** The person who decides made the key that proposed it. */
  ownsKey: boolean
}

export interface FixLateReview {
  by: string
  at: string
  /** What the person wanted to decide. */
  to: string
  /** Of the state that the person had seen. */
  seenVersion: number
}

export interface FixComment {
  id: string
  /** Id of its first comment. */
  thread: string
  /** Id of the fix that it was written on. */
  fix: string
  /** Number of that fix: its version. */
  ordinal: number
  /** Comment, resolve, reopen, withdraw. */
  kind: string
  by: string
  isMine: boolean
  at: string
  /** Null: it was withdrawn. */
  text: string | null
  /** Patch that it is about. */
  sha256: string
  /** Null: about the whole. */
  file: number | null
  path: string | null
  /** Old or new. */
  side: string | null
  lineStart: number | null
  lineEnd: number | null
}

export interface FixVersion {
  id: string
  ordinal: number
  state: string
  sha256: string
  receivedAt: string
  /** The version whose place it took. */
  supersedes: string | null
  /** What reviewers wrote who asked for changes. */
  requests: {
    by: string
    at: string
    comment: string
  }[]
}

export interface FixDetail extends FixItem {
  explanation: string | null
  fileName: string | null
  downloadName: string
  /** Pipeline, else source, and the id of the run there, as they were when the fix came. */
  run: {
    source: string
    id: string
  }
  base: FixBase
  budget: FixBudget
  agentDetail: FixAgent
  verification: FixVerification[]
  contextPackSha256: string | null
  transcript: {
    sha256: string
    size: number
  } | null
  mode: string | null
  enabledBy: string | null
  reasons: FixReason[]
  /** Null: the patch is not read. */
  facts: FixByteFacts | null
  /** The first ones, in the order of the patch; the others are at /files. */
  files: FixFile[]
  /** The first ones; blocking ones before others. The others are at /flags. */
  flags: FixFlag[]
  flagsTotal: number
  /** All lines of the patch that hold what looks like a secret, in order; null: not known, the patch is not read. */
  secretLines:
    | {
        start: number
        end: number
      }[]
    | null
  /** The reader may not see these lines: ranges of the patch come with * in their place, and the patch is not downloaded. */
  secretsHidden: boolean
  reviews: FixReview[]
  /** Reviews that were not taken, because somebody else had decided first. */
  lateReviews: FixLateReview[]
  /** States that a review may lead to now, whoever asks. */
  mayBecome: string[]
  /** Whether the reader may decide. */
  mayReview: boolean
  whyNotReview: string | null
  /** It was proposed with a key that the reader made. */
  byOwnKey: boolean
  /** All fixes of this task of the execution. */
  versions: FixVersion[]
}
