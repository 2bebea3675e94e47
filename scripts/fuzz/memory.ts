import { memoryMb } from '@/bench/support/product'

export interface MemoryWatch {
  startMb: number
  peakMb: number
  /** Resident megabytes now; null where the system does not say. */
  nowMb: () => number | null
  end: () => void
}

const EVERY_MS = 200

/** Watches the resident memory of a process until it is told to end; null where the system does not say. */
export function watchMemory(pid: number): MemoryWatch | null {
  const nowMb = (): number | null => memoryMb(pid, 'VmRSS')
  const startMb = nowMb()
  if (startMb === null) return null
  const timer = setInterval(() => (watch.peakMb = Math.max(watch.peakMb, nowMb() ?? 0)), EVERY_MS)
  timer.unref()
  const watch: MemoryWatch = { startMb, peakMb: startMb, nowMb, end: () => clearInterval(timer) }
  return watch
}
