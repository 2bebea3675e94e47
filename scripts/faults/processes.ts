import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { postmasterPid } from '@/e2e/support/server'

const STOPPED_MS = 3_000

/** Child processes of a process, from what Linux reports of each. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | null {
  try {
    // The name in brackets may hold anything, also brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return Number(fields[1])
  } catch {
    return null
  }
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Backends that serve a client, and not those that serve the database itself. */
const backendsOf = (postmaster: number): number[] =>
  childrenOf(postmaster).filter((pid) => /postgres: \w+ \w+ (\[local\]|127\.|::1)/.test(commandOf(pid)))

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself.
  }
}

/** Hits the database of a data folder. @returns a sentence when there was nothing to hit */
export async function hitDatabase(dataDir: string, how: string): Promise<string | null> {
  const postmaster = postmasterPid(dataDir)
  if (postmaster === null) return 'no database runs'
  switch (how) {
    case 'database: SIGKILL':
      signal(postmaster, 'SIGKILL')
      return null
    case 'database: SIGQUIT':
      signal(postmaster, 'SIGQUIT')
      return null
    case 'database: stopped and started':
      signal(postmaster, 'SIGINT')
      return null
    case 'database: SIGSTOP': {
      const all = [postmaster, ...childrenOf(postmaster)]
      for (const pid of all) signal(pid, 'SIGSTOP')
      await pause(STOPPED_MS)
      for (const pid of all) signal(pid, 'SIGCONT')
      return null
    }
    default: {
      const [backend] = backendsOf(postmaster).slice(-1)
      if (backend === undefined) return 'no backend serves anybody'
      signal(backend, how.endsWith('SIGKILL') ? 'SIGKILL' : 'SIGTERM')
      return null
    }
  }
}
