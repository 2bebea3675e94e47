import { liveHub } from './live-hub'
import { log } from './log'

/** What runs beside the requests: listening for changes, so that pages made from now on can hear what they missed. */
export async function startBackground(): Promise<void> {
  await liveHub().catch((error: unknown) => log.warn({ err: error }, 'not listening yet; the first reader tries again'))
}
