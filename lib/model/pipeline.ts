import type { Pointer } from './execution'

/** What a reader of a run needs of its files beside what every execution has. */
export interface PipelineDetail {
  pipeline: string | null
  job: string | null
  mode: string | null
  status: string | null
  /** Its record came without the files beside it. */
  alone: boolean
  sources: {
    id: string
    type: string | null
    commit: string | null
    ref: string | null
    dirty: boolean | null
  }[]
  tasks: PipelineTaskDetail[]
  tasksLeftOut: number
  /** Tasks of which there is a context pack, and nothing in the record. */
  notListed: string[]
  patches: { origin: string; fileName: string; of: string; size: number; sha256: string; pointer: Pointer }[]
}

export interface PipelineTaskDetail {
  id: string
  status: string | null
  attempts: number | null
  startedAt: string | null
  finishedAt: string | null
  durationMs: number | null
  cacheKey: string | null
  cacheHit: boolean
  metadata: Record<string, string>
  /** Failed tasks only, as what follows. */
  error: string | null
  failure: string | null
  exitCode: number | null
  pointer: Pointer
  reproduce: { command: string; recorded: boolean } | null
  /** Attempts that the log has a line for. */
  attemptsInLog: number
  log: {
    state: 'kept' | 'none' | 'shared'
    pointer: Pointer | null
    dropped: string | null
    cutBytes: number | null
  }
  context: {
    logTail: string | null
    inputs: {
      baseline: { cacheKey: string | null; recordedAt: string | null } | null
      added: string[]
      removed: string[]
      changed: string[]
      leftOut: number
    } | null
    claims: string[]
    pointer: Pointer
  } | null
  agent: {
    profile: string | null
    model: string | null
    code: number | null
    timedOut: boolean | null
    pointer: Pointer
  } | null
}

/** A task that a run of a pipeline was an attempt of. */
export interface AttemptedTask {
  pipeline: string
  job: string
  task: string
  /** Digest of what it was made from; null where the record has none. */
  inputs: string | null
  failed: boolean
}
