import type { Span } from './span'
import type { FailureClass } from './execution'
import type { FailureSign } from './failure-signs'
import type { SignalFact } from './failure-signal'
import type { CiStepFact, RunResultFact, RecordedDecisionFact, RunFact } from './run-facts'
import type { ReceiptFact } from './receipt-facts'
import type { RowFact, CommandFact, RunDocumentFact, CaptureFact } from './workflow-facts'
import type {
  PipelineRunFact,
  TaskFact,
  ContextPackFact,
  TaskLogFact,
  ExchangeFact,
  PatchFileFact,
} from './pipeline-facts'

export interface CallFact {
  callId: string
  tool: string
  /** `null` when the input names none of the target keys. */
  target: string | null
  /** First words of a shell command: the looser link between attempts. */
  looseTarget?: string
  /** Digest of the whole input, to distinguish a retry with the same input from one with a changed input; empty if unknown. */
  inputDigest: string
  /** The model message the call belongs to: siblings share it. */
  messageId?: string
  /** The record should say how the call ended, and does not: a receipt without an outcome. A call that is only not answered yet has no such mark. */
  endUntold?: true
  span: Span
}

export interface ResultFact {
  callId: string
  failed: boolean
  /** How it failed, as far as its record says; left out where it says nothing that is known. */
  signs?: FailureSign[]
  /** Its text is free output of a shell, which can contain any phrase by chance. */
  freeOutput?: true
  /** Only in rows of versions that classified while they parsed. */
  failureClass?: FailureClass
  /** The failure text, at most 2,000 characters: head and tail of a longer one. Never set for a success. */
  text?: string
  /** True when `text` was cut. */
  textCut?: boolean
  /** The line of the *whole* failure text that says why (`decisiveLine` of `lib/text/decisive-line.ts`), at most 500 characters, and exactly where it is. */
  decisive?: { text: string; span: Span }
  exitCode?: number
  span: Span
  /** Sub-agent started by this call, when the result says so. */
  childAgentId?: string
  durationMs?: number
}

export interface UsageFact {
  messageId: string
  model?: string
  inputTokens: number
  outputTokens: number
  cacheReadInputTokens: number
  cacheCreationInputTokens: number
}

/** Everything a judgement may need of one record. Stored as `events.facts`; keys absent when there is nothing to say. */
export interface EventFacts {
  calls?: CallFact[]
  results?: ResultFact[]
  usage?: UsageFact
  apiError?: { class: string | null; status: number | null; text: string; span: Span }
  apiRetry?: {
    attempt: number | null
    maxRetries: number | null
    status: number | null
    class: string | null
  }
  interruption?: { span: Span }
  /** Text the agent said: its last 300 characters, whether it contains a failure signal, and where it is. */
  said?: { tail: string; signal?: SignalFact; span: Span }
  hookStop?: { errors: string[]; prevented: boolean; reason: string | null; span: Span }
  runResult?: RunResultFact
  /** What the orchestrator of the run recorded of it. */
  recorded?: RecordedDecisionFact
  runStart?: { model: string | null; serversNotConnected: string[] }
  run?: RunFact
  ciStep?: CiStepFact
  receipt?: ReceiptFact
  row?: RowFact
  command?: CommandFact
  document?: RunDocumentFact
  capture?: CaptureFact
  pipelineRun?: PipelineRunFact
  pipelineTask?: TaskFact
  contextPack?: ContextPackFact
  taskLog?: TaskLogFact
  exchange?: ExchangeFact
  patchFile?: PatchFileFact
  /** Frames of hooks that end a run or a session: `how` is the event's name, `reason` the frame's own word for why. */
  ended?: { how: string; error: string | null; reason?: string }
  /** Child executions that calls of this execution started, with their full external keys; named by a record of the parent. */
  children?: { callId: string; childKey: string }[]
  /** uuids of messages this record takes back; they must not be counted. */
  retracts?: string[]
  /** What the agent was asked, first 300 characters. */
  prompt?: string
  /** The beginning of what it was asked, as a statement about a call quotes it: names a run, and says nothing of when it was asked. */
  asked?: string
  /** Who made the call, by the name that the source gives: names a run of which nobody knows what was asked. */
  actor?: string
  cwd?: string
  branch?: string
  repository?: string
  version?: string
  model?: string
  /** Session that this one was copied from up to here, to go on by itself. */
  forkedFrom?: string
  title?: string
  /** Execution started by a call of the parent: links a child to its parent. */
  childOf?: { parentKey: string; callId: string | null }
}
