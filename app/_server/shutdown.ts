/**
 * What must end before the process may. The launcher and the bundled routes are separate module graphs in one process,
 * so they meet at a registered symbol (`server/serve.ts` reads it).
 */
const KEY = Symbol.for('inquest.shutdown')
type Closer = () => void | Promise<void>

/** `streams` end first, so that open requests can finish; `pools` are closed when none is left. */
type Phase = 'streams' | 'pools'
const registry = globalThis as { [KEY]?: Map<Closer, Phase> }

/** Registers what to close when the server stops. @returns a function that takes the registration back */
export function onShutdown(close: Closer, phase: Phase): () => void {
  const closers = (registry[KEY] ??= new Map())
  closers.set(close, phase)
  return () => void closers.delete(close)
}

/** Closes everything that is registered, as the launcher does at the end; for tests, which have none. */
export async function runClosersForTests(): Promise<void> {
  for (const phase of ['streams', 'pools'] as const) {
    for (const [close, of] of [...(registry[KEY] ?? [])]) {
      if (of !== phase) continue
      registry[KEY]!.delete(close)
      await close()
    }
  }
}
