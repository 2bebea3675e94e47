const LOST_THREAD = 'INQUEST_THREAD_LOST'

/** Work that a thread had, or that came when the threads were closing: it may have been stored or not, and may be sent again. */
export class LostThreadError extends Error {
  /** Bundles have classes of their own, so callers recognise it by this. */
  readonly code = LOST_THREAD

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'LostThreadError'
  }
}

/** True when the same work may succeed in another thread. */
export const isThreadLost = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === LOST_THREAD
