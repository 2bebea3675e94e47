import { runHook } from './run-hook'

/**
 * A hook runs at every step of an agent, so it is a bundle of its own that contains nothing else: reading the whole program
 * would take longer than sending the frame. Whatever happens, the agent sees status 0.
 */
void runHook()
  .catch((error: unknown) => process.stderr.write(`inquest hook: ${(error as Error).message}\n`))
  .finally(() => process.exit(0))
