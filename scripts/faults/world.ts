import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { type Folder, makeFolder } from '@/e2e/support/folder'
import { type Inquest, killDatabase, root, startInquest } from '@/e2e/support/server'
import type { Stored } from './compare'
import { mountSmallDisk, type SmallDisk } from './small-disk'
import type { Page } from '@/lib/model/page'

/** A server that is hit again and again, on a folder and port that stay. */
export interface World {
  folder: Folder
  inquest: () => Inquest
  /** null: this account cannot make one, and why. */
  disk: SmallDisk | null
  diskRefused: string | null
  /** Tells the threads that take bodies in to end. @returns a sentence when none was there */
  hitThreads: (how: 'end' | 'memory') => Promise<string | null>
  /** Waits until the server is ready again; a process that has ended, or does not recover, is started anew. */
  recover: () => Promise<{ ms: number; byHand: string | null }>
  /** Executions of a source. */
  read: (source: string) => Promise<Stored[]>
  /** Files that wait to be sent, and those that were refused. */
  spooled: () => string[]
  close: () => Promise<void>
}

/** How long the server may take until it is ready again, before somebody has to help. */
const RECOVERY_MS = 60_000
const LOOK_MS = 100
/** The part of the server's log that is printed when it did not recover. */
const OUTPUT_CHARS = 800

export async function openWorld(): Promise<World> {
  const folder = makeFolder()
  const small = mountSmallDisk(join(folder.path, 'data'))
  const disk = 'refused' in small ? null : small
  const faultFile = join(folder.path, 'fault')
  writeFileSync(faultFile, '')
  const env = {
    INQUEST_FAULT_FILE: faultFile,
    NODE_OPTIONS:
      `${process.env.NODE_OPTIONS ?? ''} --require ${join(root, 'scripts/faults/thread-fault.cjs')}`.trim(),
  }
  let inquest = await startInquest(folder.path, env)
  const port = new URL(inquest.url).port
  const startAgain = async (): Promise<void> => {
    inquest = await startInquest(folder.path, { ...env, PORT: port })
  }
  const hasEnded = (): boolean => inquest.child.exitCode !== null || inquest.child.signalCode !== null

  const answers = async (path: string): Promise<boolean> => {
    const answer = await fetch(inquest.url + path, {
      headers: { authorization: `Bearer ${inquest.token}` },
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null)
    await answer?.body?.cancel()
    return answer?.status === 200
  }
  /** Ready means: it says so, and a list can be read. */
  const isReady = async (): Promise<boolean> =>
    (await answers('/readyz')) && (await answers(links.api.executions('limit=1')))

  return {
    folder,
    inquest: () => inquest,
    disk,
    diskRefused: 'refused' in small ? small.refused : null,
    async hitThreads(how) {
      writeFileSync(faultFile, how)
      inquest.child.kill('SIGUSR2')
      while (readFileSync(faultFile, 'utf8') === how) {
        if (hasEnded()) return 'the server has ended'
        await pause(5)
      }
      return readFileSync(faultFile, 'utf8').endsWith('\n0 threads') ? 'no thread was there' : null
    },
    async recover() {
      const startedMs = performance.now()
      let byHand: string | null = null
      // A server that was hit itself is started again, as its supervisor would; that is no help.
      if (hasEnded()) await startAgain()
      let patientUntil = startedMs + RECOVERY_MS
      // It takes a moment until the server notices what happened: only the second look in a row counts.
      for (let ready = 0; ready < 2; ready = (await isReady()) ? ready + 1 : 0) {
        await pause(LOOK_MS)
        const isLate = performance.now() > patientUntil
        if (!hasEnded() && !isLate) continue
        byHand ??= isLate
          ? `not ready after ${RECOVERY_MS / 1000} s`
          : `the server ended with ${inquest.child.exitCode ?? inquest.child.signalCode}`
        byHand += `\n${inquest.output().slice(-OUTPUT_CHARS)}`
        if (!hasEnded()) await inquest.kill()
        await startAgain()
        patientUntil = performance.now() + RECOVERY_MS
      }
      return { ms: performance.now() - startedMs, byHand }
    },
    read: (source) => readSource(inquest, source),
    spooled: () => filesBelow(join(inquest.stateDir, 'spool')),
    close: async () => {
      disk?.empty()
      await inquest.stop()
      await killDatabase(inquest.dataDir)
      disk?.remove()
      folder.remove()
    },
  }
}

async function readSource({ url, token }: Inquest, source: string): Promise<Stored[]> {
  const items: ExecutionItem[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({
      q: `source:${source}`,
      limit: '200',
      ...(cursor === '' ? {} : { cursor }),
    })
    const answer = await fetch(url + links.api.executions(query.toString()), {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`the list answered ${answer.status}: ${await answer.text()}`)
    const page = (await answer.json()) as Page<ExecutionItem>
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items.map(({ externalId, outcome, counts: { failedByClass, ...counts }, cause }) => ({
    externalId,
    outcome,
    counts: { ...failedByClass, ...counts },
    cause: cause?.text ?? null,
  }))
}

/** Files below the spool that mean that something waits or was refused. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) =>
        entry.isFile() && (entry.name.endsWith('.frame') || /records|refused/.test(entry.parentPath)),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
