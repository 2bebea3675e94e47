/** Runs once when the server starts, before the first request. */
export async function register(): Promise<void> {
  // Not while building, nor in a process that was started without a database.
  if (
    process.env.NEXT_RUNTIME !== 'nodejs' ||
    process.env.NEXT_PHASE === 'phase-production-build' ||
    !process.env.DATABASE_URL
  )
    return
  const { startBackground } = await import('./app/_server/background')
  await startBackground()
}
