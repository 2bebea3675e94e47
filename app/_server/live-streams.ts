/**
 * The event streams that are open in this process. Each bundled route asks here, so they live on `globalThis`.
 */
interface OpenStream {
  /** Token of the session that it was opened with; null for a key. */
  session: string | null
  end: () => void
}

const KEY = Symbol.for('inquest.live-streams')
const holder = globalThis as { [KEY]?: Set<OpenStream> }
const streams = (): Set<OpenStream> => (holder[KEY] ??= new Set())

export const countLiveStreams = (): number => streams().size

/** @returns a function that takes the registration back */
export function registerLiveStream(stream: OpenStream): () => void {
  streams().add(stream)
  return () => void streams().delete(stream)
}

/** Ends every stream of a session that has just ended: its rights end with it. */
export function endLiveStreams(session: string): void {
  for (const stream of [...streams()]) if (stream.session === session) stream.end()
}
