import { cpus, loadavg, release, totalmem, type as systemName } from 'node:os'

/** What a figure was measured on; part of every output. */
export interface Machine {
  cores: number
  cpu: string
  memoryGb: number
  system: string
  node: string
  postgres: string | null
  /** Load of the last minute when the bench began: above 0.5 on few cores, absolute figures say little. */
  loadBefore: number
}

export const readMachine = (): Machine => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${systemName()} ${release()}`,
  node: process.version,
  postgres: null,
  loadBefore: Number(loadavg()[0]!.toFixed(2)),
})
