import { hitDatabase } from './processes'
import type { Fault } from './plan'
import type { Running } from './works'
import type { World } from './world'

/** Lets the fault happen. @returns a sentence when there was nothing to hit, so that nothing was proved */
export async function inflict(fault: Fault, world: World, running: Running): Promise<string | null> {
  const { child, dataDir } = world.inquest()
  switch (fault) {
    case 'import: SIGKILL':
    case 'record: SIGKILL':
    case 'hook: SIGKILL':
      return running.child().kill('SIGKILL') ? null : 'it had ended before'
    case 'import: SIGTERM':
      return running.child().kill('SIGTERM') ? null : 'it had ended before'
    case 'web: SIGKILL':
      await world.inquest().kill()
      return null
    case 'web: SIGTERM':
      child.kill('SIGTERM')
      return null
    case 'ingest thread: ended':
      return world.hitThreads('end')
    case 'ingest thread: out of memory':
      return world.hitThreads('memory')
    case 'disk full':
      if (world.disk === null) return `no small disk: ${world.diskRefused}`
      world.disk.fill()
      return null
    default:
      return hitDatabase(dataDir, fault)
  }
}
