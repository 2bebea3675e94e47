import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { ReadyState } from '@/lib/api/ready-state'
import { links } from '@/lib/links'
import { countOf, formatBytes } from '@/lib/text/amounts'
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
      ...(fits ? {} : { todo: `Install Node ${oldestNode.join('.')} or newer.` }),
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
    if (url.origin !== named) return `${url.origin} (server.json names ${named}, which does not answer)`
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
          todo: 'Check that the URL points to Inquest.',
        },
      ]
    findings = [{ about: 'server', state: 'good', says: `${where()} answers` }]
  } catch (error) {
    return [
      {
        about: 'server',
        state: 'bad',
        says: `${where()}: ${(error as Error).message}`,
        todo: 'Start it with `npm start` in the clone, or set INQUEST_URL to its address.',
      },
    ]
  }
  const ready = await get('/readyz')
  findings.push(databaseFinding(ready))
  // What a key may do is told by asking harmlessly.
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
                ? 'This is enough to send data, and right for CI. Commands that read need a key with the scope read.'
                : `Use a key with the scope ${scope}: Settings > Keys, or \`inquest token create\`.`,
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
      says: `failed for ${countOf(total, 'execution')}; all records are kept`,
      todo: `${client.settings.url.origin}${links.settings('sources')} lists them. Retry one with \`inquest reingest --execution ID\`.`,
    },
  ]
}

const NOT_READY: Partial<Record<ReadyState, { says: string; todo: string }>> = {
  starting: { says: 'the server is starting', todo: 'Run this again in a minute.' },
  'database-down': {
    says: 'does not answer',
    todo: "Check the server's log. No data is lost: imports and hooks wait.",
  },
  busy: {
    says: 'answers, but every connection to it is in use',
    todo: 'Run this again in a minute. Requests wait for a connection meanwhile.',
  },
  'migrations-pending': {
    says: 'schema is from an older version',
    todo: 'Start this version of the server once to migrate it.',
  },
  'disk-full': {
    says: 'cannot write: the disk is full',
    todo: 'Free disk space. No data is lost: imports and hooks wait.',
  },
}

function databaseFinding(ready: Answer): Finding {
  if (ready.status === 200) return { about: 'database', state: 'good', says: 'answers' }
  const { status } = (ready.json ?? {}) as { status?: ReadyState }
  const known = status === undefined ? undefined : NOT_READY[status]
  return {
    about: 'database',
    state: 'bad',
    ...(known ?? { says: problemText(ready), todo: "Check the server's log." }),
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
      says: `the spool was full and dropped ${droppedWords(dropped)}, the last ${dropped.until}`,
      todo: `Start the server, or correct INQUEST_URL. Delete ${droppedFile(env)} to reset this count; ${logFile(env)} lists each drop.`,
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
        about: name === null ? 'spool of the server here' : `spool of ${visible(name)}`,
        state: 'note' as const,
        says: `${waits.join(' and ')} waiting for ${name === null ? 'the server on this machine' : 'that server'}, which is not the current one`,
        todo:
          name === null
            ? 'Run `inquest doctor` without INQUEST_URL to send them.'
            : `Run \`inquest doctor\` with INQUEST_URL set to ${visible(name)} to send them.`,
      },
    ]
  })

const whenSent = (env: Environment): string =>
  readRefusedKey(env) === null
    ? 'They will be sent once the server answers.'
    : 'The server rejected the key. They will be sent once it accepts one.'

const waits = (n: number): string => (n === 1 ? 'waits' : 'wait')

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
          says: `${went}${countOf(waiting.length, 'frame')} (${formatBytes(bytes)}) ${waits(waiting.length)}, the oldest since ${oldest}`,
          todo: whenSent(env),
        },
  ]
  if (refused.length > 0) {
    findings.push({
      about: 'refused frames',
      state: 'note',
      says: `${countOf(refused.length, 'frame')} rejected by the server, in ${refusedFolder(env)}`,
      todo: 'Inspect them, and delete those you don’t need.',
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
      says: `${countOf(frames, 'frame')} since ${odd.since} that are not valid frames, or that Agent Receipts would have dropped. All were kept: ${odd.reasons.map(({ why, count }) => `${count} × ${why}`).join('; ')}`,
      todo: `Frames with a session are in its execution, marked odd. The others are under Settings > Sources. Delete ${oddFramesFile(env)} to reset this count.`,
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
          ? `${went}${countOf(waiting.length, 'record')} ${waits(waiting.length)} in ${recordsFolder(env)}`
          : `${went}none waits`,
      ...(waiting.length > 0 ? { todo: whenSent(env) } : {}),
    })
  if (refused.length > 0)
    findings.push({
      about: 'refused records',
      state: 'note',
      says: `${countOf(refused.length, 'record')} rejected by the server, in ${refusedFolder(env)}`,
      todo: 'Inspect them, and delete those you don’t need.',
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
    if (code !== 'ENOENT') return { about, state: 'bad', says: `${projects} could not be read (${code})` }
    held = 0
  }
  if (held > 0)
    return {
      about,
      state: 'good',
      says: `${countOf(held, 'project folder')} in ${projects}`,
      todo: 'Run `inquest import --claude` to import them.',
    }
  return {
    about,
    state: 'note',
    says: `no agent history found in ${projects}`,
    todo: 'If it is elsewhere, set CLAUDE_CONFIG_DIR to the folder that contains `projects`, or run `inquest import PATH`.',
  }
}

/** Whether a project's folder holds a transcript. One that may not be read counts: the import says more of it. */
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
      if (code !== undefined) return { about, state: 'bad', says: `${file} could not be read (${code})` }
      return {
        about,
        state: 'bad',
        says: `${file}: ${message}`,
        todo: 'Fix the file. The agent can’t read it either.',
      }
    }
  }
  const flag = about.includes('user') ? ' --user' : ''
  if (connected.length === 0)
    return {
      about,
      state: 'note',
      says: `not connected in ${files.join(' or ')}`,
      todo: `\`inquest hook --install${flag}\` installs the hook.`,
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
