import { setFlagsFromString } from 'node:v8'

/**
 * V8 lets its heap double before it cleans up, and gives new objects up to 48 MB. Held small, the server stays within its budget of memory
 * and collects more often: an import takes a third more CPU (docs/performance.md, ingest and import-memory). What is new stays as small as
 * it has been until now; whenever a thread begins, V8 sets that back, so this has to be said again.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=20')
  setFlagsFromString('--semi-space-growth-factor=1')
}
