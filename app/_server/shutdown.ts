/**
 * What must end before the process may: streams to readers, jobs, pools. The launcher and the bundled routes are separate
 * module graphs in one process, so they meet at a registered symbol.
 */
const KEY = Symbol.for('inquest.shutdown')
type Closer = () => void | Promise<void>
const registry = globalThis as { [KEY]?: Set<Closer> }

/** Registers what to close when the server stops. @returns a function that takes the registration back */
export function onShutdown(close: Closer): () => void {
  const closers = (registry[KEY] ??= new Set())
  closers.add(close)
  return () => void closers.delete(close)
}
