import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { ReadyState } from '@/lib/api/ready-state'
import { links } from '@/lib/links'
import { countOf } from '@/lib/text/amounts'
import { doctorText } from '@/lib/words/cli/doctor'
import type { CliFailure } from '../exit-codes'
import { connectedEvents, HOOK_EVENTS } from '../hook/hook-settings'
import { droppedFile, droppedWords, readDropped } from '../dropped'
import { oddFramesFile, readOddFrames } from '../hook/odd-frames'
import { projectSettings, userSettings } from '../hook/install'
import type { Answer, Client } from '../http'
import { problemText } from '../http'
import { visible } from '../output'
import { programVersion } from '../program-path'
import { listRecords, listRefusedRecords } from '../record/record-files'
import { recordsFolder } from '../record/record-folder'
import { readRefusedKey, refusedKeyParts } from '../refused-key'
import type { Environment } from '../settings'
import { logFile } from '../state-log'
import { listOtherSpools, listRefused, listSpool, refusedFolder, spoolFolder } from '../spool'

/** One thing that was looked at; `todo` is there whenever something can be done about it. */
export interface Finding {
  about: string
  state: 'good' | 'note' | 'bad'
  says: string
  todo?: string
}

const oldestNode = [20, 19] as const

/** Node and the program itself. */
export function programFindings(program: string): Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return [
    {
      about: 'node',
      state: fits ? 'good' : 'bad',
      says: `Node ${process.versions.node}`,
      ...(fits ? {} : { todo: doctorText.installNode({ version: oldestNode.join('.') }) }),
    },
    { about: 'program', state: 'good', says: `inquest ${programVersion(program)}: ${program}` },
  ]
}

/** Whether the server lives, its database answers and the key is accepted. */
export async function serverFindings(client: Client): Promise<Finding[]> {
  const named = client.settings.url.origin
  /** Asked after a request: where the named server refused the connection, another one of this machine was asked. */
  const where = (): string => {
    const { url, from } = client.settings
    if (url.origin !== named) return doctorText.otherServerNamed({ origin: url.origin, named })
    return `${named} (from ${from === 'environment' ? 'INQUEST_URL' : 'server.json'})`
  }
  const get = (path: string): ReturnType<Client['send']> =>
    client.send({ method: 'GET', path, idleMs: 5_000 })
  let findings: Finding[]
  try {
    const health = await get('/healthz')
    if (health.status !== 200)
      return [
        {
          about: 'server',
          state: 'bad',
          says: `${where()}: status ${health.status}`,
          todo: doctorText.checkUrl,
        },
      ]
    findings = [{ about: 'server', state: 'good', says: `${where()} answers` }]
  } catch (error) {
    return [
      {
        about: 'server',
        state: 'bad',
        says: `${where()}: ${(error as Error).message}`,
        todo: doctorText.startServer,
      },
    ]
  }
  const ready = await get('/readyz')
  findings.push(databaseFinding(ready))
  // What a key may do is found out with a harmless request.
  for (const [scope, path] of [
    ['read', links.api.sources()],
    ['ingest', links.api.stream('reachable')],
  ] as const) {
    const answer = await get(path)
    const opens = answer.status < 400 || answer.status === 404
    findings.push(
      opens
        ? { about: `key (${scope})`, state: 'good', says: 'accepted' }
        : {
            about: `key (${scope})`,
            state: answer.status === 403 ? 'note' : 'bad',
            says: problemText(answer),
            todo:
              scope === 'read' && answer.status === 403
                ? doctorText.ingestKeyIsEnough
                : doctorText.useKeyWithScope({ scope }),
          },
    )
  }
  return findings
}

/** Executions whose analysis failed; nothing when there are none, or when the key or an older server does not tell. */
export async function analysisFindings(client: Client): Promise<Finding[]> {
  const answer = await client.send({ method: 'GET', path: links.api.analysisFailures(), idleMs: 5_000 })
  const { total } = (answer.json ?? {}) as { total?: number }
  if (answer.status !== 200 || !total) return []
  return [
    {
      about: 'analysis',
      state: 'note',
      says: doctorText.analysisFailedFor({ total }),
      todo: doctorText.failedAnalysesListed({
        origin: client.settings.url.origin,
        path: links.settings('sources'),
      }),
    },
  ]
}

const NOT_READY: Partial<Record<ReadyState, { says: string; todo: string }>> = {
  starting: { says: doctorText.serverStarting, todo: doctorText.runAgain },
  'database-down': {
    says: 'does not answer',
    todo: doctorText.checkLogNothingLost,
  },
  busy: {
    says: doctorText.databaseBusy,
    todo: doctorText.runAgainRequestsWait,
  },
  'migrations-pending': {
    says: doctorText.oldSchema,
    todo: doctorText.startToMigrate,
  },
  'disk-full': {
    says: doctorText.diskFull,
    todo: doctorText.freeDisk,
  },
}

function databaseFinding(ready: Answer): Finding {
  if (ready.status === 200) return { about: 'database', state: 'good', says: 'answers' }
  const { status } = (ready.json ?? {}) as { status?: ReadyState }
  const known = status === undefined ? undefined : NOT_READY[status]
  return {
    about: 'database',
    state: 'bad',
    ...(known ?? { says: problemText(ready), todo: doctorText.checkLog }),
  }
}

/** What waits in the spool, and what the server will never take. */
export const spoolFindings = (env: Environment, sent: { frames: number; records: number }): Finding[] => [
  ...frameFindings(env, sent.frames),
  ...refusedKeyFindings(env),
  ...droppedFindings(env),
  ...oddFindings(env),
  ...recordFindings(env, sent.records),
  ...otherSpoolFindings(env),
]

/** A server that refuses the key: what waits for it waits for a person. */
const refusedKeyFindings = (env: Environment): Finding[] =>
  [env, ...listOtherSpools(env).map((other) => other.env)].flatMap((spool) => {
    const refused = readRefusedKey(spool)
    if (
      refused === null ||
      (listSpool(spool, { young: true, most: 1 }).length === 0 && listRecords(spool).length === 0)
    )
      return []
    const { says, todo } = refusedKeyParts(spool, refused)
    return [{ about: 'refused key', state: 'bad' as const, says, todo }]
  })

function droppedFindings(env: Environment): Finding[] {
  const dropped = readDropped(env)
  if (dropped === null) return []
  return [
    {
      about: 'dropped',
      state: 'note',
      says: doctorText.spoolDropped({ what: droppedWords(dropped), until: dropped.until }),
      todo: doctorText.startOrCorrectUrl({ countFile: droppedFile(env), logFile: logFile(env) }),
    },
  ]
}

/** What waits for servers that are not asked now. */
const otherSpoolFindings = (env: Environment): Finding[] =>
  listOtherSpools(env).flatMap(({ name, env: theirs }) => {
    const waits = [
      ...[listSpool(theirs, { young: true, most: 100_000 }).length].flatMap((n) =>
        n > 0 ? [countOf(n, 'frame')] : [],
      ),
      ...[listRecords(theirs).length].flatMap((n) => (n > 0 ? [countOf(n, 'record')] : [])),
    ]
    if (waits.length === 0) return []
    return [
      {
        about: name === null ? doctorText.localSpool : `spool of ${visible(name)}`,
        state: 'note' as const,
        says: doctorText.waitsForOther({ waits, name }),
        todo: name === null ? doctorText.sendWithoutUrl : doctorText.sendWithUrl({ url: visible(name) }),
      },
    ]
  })

const whenSent = (env: Environment): string =>
  readRefusedKey(env) === null ? doctorText.sentOnceUp : doctorText.sentOnceKeyAccepted

function frameFindings(env: Environment, sent: number): Finding[] {
  const most = 100_000
  const waiting = listSpool(env, { young: true, most })
  const refused = listRefused(env, most)
  const bytes = [...waiting, ...refused].reduce(
    (sum, frame) => sum + (statSync(frame.path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const oldest = waiting[0] ? new Date(waiting[0].at).toISOString() : ''
  const went = sent > 0 ? `${countOf(sent, 'frame')} sent just now; ` : ''
  const findings: Finding[] = [
    waiting.length === 0
      ? { about: 'spool', state: 'good', says: `${went}nothing waits in ${spoolFolder(env)}` }
      : {
          about: 'spool',
          state: 'note',
          says: doctorText.framesWait({ went, waiting: waiting.length, bytes, oldest }),
          todo: whenSent(env),
        },
  ]
  if (refused.length > 0) {
    findings.push({
      about: 'refused frames',
      state: 'note',
      says: doctorText.framesRejected({ refused: refused.length, folder: refusedFolder(env) }),
      todo: doctorText.inspectRejected,
    })
  }
  return findings
}

function oddFindings(env: Environment): Finding[] {
  const odd = readOddFrames(env)
  if (odd === null) return []
  const frames = odd.reasons.reduce((sum, { count }) => sum + count, 0)
  return [
    {
      about: 'odd frames',
      state: 'note',
      says: doctorText.oddFrames({
        frames,
        since: odd.since,
        reasons: odd.reasons.map(({ why, count }) => `${count} × ${why}`),
      }),
      todo: doctorText.oddFramesKept({ countFile: oddFramesFile(env) }),
    },
  ]
}

function recordFindings(env: Environment, sent: number): Finding[] {
  const waiting = listRecords(env)
  const refused = listRefusedRecords(env)
  const went = sent > 0 ? `${countOf(sent, 'record')} sent just now; ` : ''
  const findings: Finding[] = []
  if (sent > 0 || waiting.length > 0)
    findings.push({
      about: 'records',
      state: waiting.length > 0 ? 'note' : 'good',
      says:
        waiting.length > 0
          ? doctorText.recordsWait({ went, waiting: waiting.length, folder: recordsFolder(env) })
          : `${went}none waits`,
      ...(waiting.length > 0 ? { todo: whenSent(env) } : {}),
    })
  if (refused.length > 0)
    findings.push({
      about: 'refused records',
      state: 'note',
      says: doctorText.recordsRejected({ refused: refused.length, folder: refusedFolder(env) }),
      todo: doctorText.inspectRejected,
    })
  return findings
}

/** Where the agent keeps its history, and whether the hook is connected. */
export function agentFindings(env: Environment, projects: string): Finding[] {
  const findings: Finding[] = [historyFinding(projects)]
  const here = (['own', 'shared'] as const).map((whose) => projectSettings(process.cwd(), whose))
  findings.push(hookFinding('hook (user)', [userSettings(env)]), hookFinding('hook (this folder)', here))
  return findings
}

function historyFinding(projects: string): Finding {
  const about = 'transcripts'
  let held: number
  try {
    const folders = readdirSync(projects, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    held = folders.filter(({ name }) => holdsHistory(`${projects}/${name}`)).length
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT')
      return { about, state: 'bad', says: doctorText.projectsUnreadable({ projects, code }) }
    held = 0
  }
  if (held > 0)
    return {
      about,
      state: 'good',
      says: `${countOf(held, 'project folder')} in ${projects}`,
      todo: doctorText.runImport,
    }
  return {
    about,
    state: 'note',
    says: doctorText.noHistory({ projects }),
    todo: doctorText.historyElsewhere,
  }
}

/** Whether a project's folder contains a transcript. One that may not be read counts: the import says more of it. */
function holdsHistory(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.jsonl'))
  } catch {
    return true
  }
}

/** @param files settings that are read together; the first is the one that an installation writes */
function hookFinding(about: string, files: string[]): Finding {
  const connected: { file: string; events: number }[] = []
  for (const file of files) {
    try {
      const events = connectedEvents(readFileSync(file, 'utf8')).length
      if (events > 0) connected.push({ file, events })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') continue
      if (code !== undefined)
        return { about, state: 'bad', says: doctorText.settingsUnreadable({ file, code }) }
      return {
        about,
        state: 'bad',
        says: `${file}: ${message}`,
        todo: doctorText.fixFile,
      }
    }
  }
  const flag = about.includes('user') ? ' --user' : ''
  if (connected.length === 0)
    return {
      about,
      state: 'note',
      says: `not connected in ${files.join(' or ')}`,
      todo: doctorText.installHook({ flag }),
    }
  const missing = HOOK_EVENTS.length - Math.max(...connected.map(({ events }) => events))
  return {
    about,
    state: 'good',
    says: `connected to ${connected.map(({ file, events }) => `${countOf(events, 'event')} in ${file}`).join(' and ')}${missing > 0 ? `, ${missing} left out` : ''}`,
  }
}

/** No server is known: the same text that other verbs end with. */
export const settingsFinding = (error: CliFailure): Finding => ({
  about: 'server',
  state: 'bad',
  says: error.message,
})
