/**
 * Builds Claude Code transcripts for tests and benches: real record shapes, invented content, no clock and no randomness of its own
 * (times count up from `startedAt`, ids from the session id).
 */
export interface TranscriptOptions {
  sessionId: string
  cwd?: string
  branch?: string
  version?: string
  startedAt?: string
  agentId?: string
}

type Json = Record<string, unknown>

export class Transcript {
  readonly lines: string[] = []
  #serial = 0
  #parent: string | null = null
  #at: number

  constructor(readonly options: TranscriptOptions) {
    this.#at = Date.parse(options.startedAt ?? '2026-11-01T08:00:00.000Z')
  }

  /** The file as it would lie on disk, every line ended. */
  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('')
  }

  #id(prefix: string): string {
    this.#serial += 1
    return `${prefix}-${this.options.sessionId}${this.options.agentId ? `-${this.options.agentId}` : ''}-${this.#serial}`
  }

  #record(type: string, rest: Json, seconds = 2): this {
    const { sessionId, cwd = '/srv/shop', branch = 'main', version = '2.1.40', agentId } = this.options
    const uuid = this.#id('u')
    this.#at += seconds * 1000
    this.lines.push(
      JSON.stringify({
        parentUuid: this.#parent,
        isSidechain: agentId !== undefined,
        userType: 'external',
        cwd,
        sessionId,
        version,
        gitBranch: branch,
        ...(agentId === undefined ? {} : { agentId }),
        type,
        ...rest,
        uuid,
        timestamp: new Date(this.#at).toISOString(),
      }),
    )
    this.#parent = uuid
    return this
  }

  user(text: string): this {
    return this.#record('user', { message: { role: 'user', content: text } })
  }

  says(text: string): this {
    return this.#assistant([{ type: 'text', text }])
  }

  /** A tool call and its result; `fails` is the failure text, a missing result is `result: null`, `toolResult` the structured result beside its text. */
  call(
    tool: string,
    input: Json,
    outcome: { ok?: string; fails?: string; none?: true; toolResult?: Json } = { ok: 'done' },
    seconds = 3,
  ): this {
    const callId = this.#id('toolu')
    this.#assistant([{ type: 'tool_use', id: callId, name: tool, input }])
    if (outcome.none) return this
    const failed = outcome.fails !== undefined
    const content = outcome.fails ?? outcome.ok ?? 'done'
    return this.#record(
      'user',
      {
        message: {
          role: 'user',
          content: [
            { tool_use_id: callId, type: 'tool_result', content, ...(failed ? { is_error: true } : {}) },
          ],
        },
        toolUseResult: failed
          ? `Error: ${content}`
          : (outcome.toolResult ?? { stdout: content, stderr: '', interrupted: false, isImage: false }),
      },
      seconds,
    )
  }

  apiError(text: string, status: number): this {
    return this.#record('assistant', {
      isApiErrorMessage: true,
      error: 'rate_limit',
      apiErrorStatus: status,
      message: {
        id: this.#id('msg'),
        model: '<synthetic>',
        role: 'assistant',
        type: 'message',
        stop_reason: 'stop_sequence',
        content: [{ type: 'text', text }],
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    })
  }

  interrupted(): this {
    return this.#record('user', {
      message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    })
  }

  #assistant(content: Json[]): this {
    return this.#record('assistant', {
      requestId: this.#id('req'),
      message: {
        id: this.#id('msg'),
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content,
        stop_reason: null,
        usage: {
          input_tokens: 12,
          cache_creation_input_tokens: 100,
          cache_read_input_tokens: 2000,
          output_tokens: 40,
        },
      },
    })
  }
}
