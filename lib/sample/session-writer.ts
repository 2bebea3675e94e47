/**
 * Writes one invented session in the shape of a transcript file. Ids and times come from the session's number, so that the
 * same sample is the same bytes wherever and whenever it is loaded.
 */
interface SessionPlan {
  number: number
  startedAt: string
  cwd: string
  branch: string
  agentId?: string
}

type Json = Record<string, unknown>

export const sampleSessionId = (number: number): string =>
  `5a3b1e00-0000-4000-8000-${String(number).padStart(12, '0')}`

const MODEL = 'claude-sonnet-4-5'

/** What became of a call: its answer, or the text it failed with, or nothing at all. */
interface CallEnd {
  ok?: string
  fails?: string
  unanswered?: boolean
  result?: Json
  seconds?: number
}

export function createSessionWriter(plan: SessionPlan) {
  const sessionId = sampleSessionId(plan.number)
  const lines: string[] = []
  let atMs = Date.parse(plan.startedAt)
  let parentUuid: string | null = null
  let serial = 0

  const nextId = (prefix: string): string => {
    serial += 1
    return `${prefix}_sample${plan.number}${plan.agentId ?? ''}${String(serial).padStart(4, '0')}`
  }

  const add = (type: string, rest: Json, seconds: number): void => {
    atMs += seconds * 1000
    serial += 1
    const tail = `${plan.agentId === undefined ? '0' : '1'}${String(serial).padStart(11, '0')}`
    const uuid = `5a3b1e00-${String(plan.number).padStart(4, '0')}-4000-8000-${tail}`
    lines.push(
      JSON.stringify({
        parentUuid,
        isSidechain: plan.agentId !== undefined,
        userType: 'external',
        cwd: plan.cwd,
        sessionId,
        version: '2.1.63',
        gitBranch: plan.branch,
        ...(plan.agentId === undefined ? {} : { agentId: plan.agentId }),
        type,
        ...rest,
        uuid,
        timestamp: new Date(atMs).toISOString(),
      }),
    )
    parentUuid = uuid
  }

  const assistant = (
    content: Json[],
    seconds: number,
    rest: Json = {},
    model = MODEL,
    outputTokens = 90,
  ): void => {
    const usage = {
      input_tokens: model === MODEL ? 4 : 0,
      cache_creation_input_tokens: outputTokens * 3,
      cache_read_input_tokens: outputTokens * 160,
      output_tokens: outputTokens,
    }
    add(
      'assistant',
      {
        message: {
          model,
          id: nextId('msg'),
          type: 'message',
          role: 'assistant',
          content,
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
        requestId: nextId('req'),
        ...rest,
      },
      seconds,
    )
  }

  const writer = {
    asks(text: string) {
      add('user', { message: { role: 'user', content: text } }, 1)
      return writer
    },
    says(text: string) {
      assistant([{ type: 'text', text }], 6, {}, MODEL, Math.ceil(text.length / 4))
      return writer
    },
    calls(name: string, input: Json, end: CallEnd) {
      const id = nextId('toolu')
      assistant([{ type: 'tool_use', id, name, input }], 4)
      if (end.unanswered) return writer
      const failed = end.fails !== undefined
      const content = end.fails ?? end.ok ?? ''
      const toolUseResult = failed
        ? `Error: ${content.replace(/<\/?tool_use_error>/g, '')}`
        : (end.result ?? { stdout: content, stderr: '', interrupted: false, isImage: false })
      add(
        'user',
        {
          message: {
            role: 'user',
            content: [
              { tool_use_id: id, type: 'tool_result', content, ...(failed ? { is_error: true } : {}) },
            ],
          },
          toolUseResult,
        },
        end.seconds ?? 1,
      )
      return writer
    },
    interrupted() {
      add(
        'user',
        { message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] } },
        9,
      )
      return writer
    },
    apiRetry(attempt: number, status: number) {
      add(
        'system',
        {
          subtype: 'api_error',
          level: 'error',
          error: { status },
          retryInMs: 2000 * attempt,
          retryAttempt: attempt,
          maxRetries: 3,
        },
        2 * attempt,
      )
      return writer
    },
    apiError(text: string, status: number, errorClass: string) {
      assistant(
        [{ type: 'text', text }],
        8,
        { isApiErrorMessage: true, error: errorClass, apiErrorStatus: status },
        '<synthetic>',
        0,
      )
      return writer
    },
    text: (): string => lines.map((line) => `${line}\n`).join(''),
  }
  return writer
}
