import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { links } from '@/lib/links'
import type { CliFailure } from '../exit-codes'
import { connectedEvents, HOOK_EVENTS } from '../hook/hook-settings'
import { projectSettings, userSettings } from '../hook/install'
import type { Client } from '../http'
import { problemText } from '../http'
import { countOf, formatBytes } from '../output'
import { programVersion } from '../program-path'
import type { Environment } from '../settings'
import { listRefused, listSpool, refusedFolder, spoolFolder } from '../spool'

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

/** Whether the server lives, its database answers and the key opens the doors. */
export async function serverFindings(client: Client): Promise<Finding[]> {
  const where = `${client.settings.url.origin} (from ${client.settings.from === 'environment' ? 'INQUEST_URL' : 'server.json'})`
  const get = (path: string): ReturnType<Client['send']> => client.send({ method: 'GET', path, idleMs: 5_000 })
  let findings: Finding[]
  try {
    const health = await get('/healthz')
    if (health.status !== 200)
      return [
        { about: 'server', state: 'bad', says: `${where}: status ${health.status}`, todo: 'Check that the address is that of Inquest.' },
      ]
    findings = [{ about: 'server', state: 'good', says: `${where} answers` }]
  } catch (error) {
    return [
      {
        about: 'server',
        state: 'bad',
        says: `${where}: ${(error as Error).message}`,
        todo: 'Start it with `npm start` in the clone, or set INQUEST_URL to where it runs.',
      },
    ]
  }
  const ready = await get('/readyz')
  findings.push(
    ready.status === 200
      ? { about: 'database', state: 'good', says: 'answers' }
      : {
          about: 'database',
          state: 'bad',
          says: problemText(ready),
          todo: "Look into the server's log; nothing is lost meanwhile, imports and hooks wait.",
        },
  )
  // What a key may do is told by asking harmlessly.
  for (const [scope, path] of [['read', links.api.sources()], ['ingest', links.api.stream('reachable')]] as const) {
    const answer = await get(path)
    const opens = answer.status < 400 || answer.status === 404
    findings.push(
      opens
        ? { about: `key (${scope})`, state: 'good', says: 'accepted' }
        : {
            about: `key (${scope})`,
            state: answer.status === 403 ? 'note' : 'bad',
            says: problemText(answer),
            todo: `Use a key with the scope ${scope}: Settings > Keys, or \`inquest token create\`.`,
          },
    )
  }
  return findings
}

/** Hook frames that wait, and those the server will never take. */
export function spoolFindings(env: Environment, sent: number): Finding[] {
  const most = 100_000
  const waiting = listSpool(env, { young: true, most })
  const refused = listRefused(env, most)
  const bytes = [...waiting, ...refused].reduce((sum, frame) => sum + (statSync(frame.path, { throwIfNoEntry: false })?.size ?? 0), 0)
  const oldest = waiting[0] ? new Date(waiting[0].at).toISOString() : ''
  const went = sent > 0 ? `${countOf(sent, 'frame')} sent just now; ` : ''
  const findings: Finding[] = [
    waiting.length === 0
      ? { about: 'spool', state: 'good', says: `${went}nothing waits in ${spoolFolder(env)}` }
      : {
          about: 'spool',
          state: 'note',
          says: `${went}${countOf(waiting.length, 'frame')} (${formatBytes(bytes)}) wait, the oldest since ${oldest}`,
          todo: 'They go along once the server answers.',
        },
  ]
  if (refused.length > 0) {
    findings.push({
      about: 'odd frames',
      state: 'note',
      says: `${countOf(refused.length, 'frame')} that the server would not take, in ${refusedFolder(env)}`,
      todo: 'Look at them; delete what nobody needs.',
    })
  }
  return findings
}

/** Where the agent keeps its history, and whether the hook is connected. */
export function agentFindings(env: Environment, projects: string): Finding[] {
  const findings: Finding[] = []
  if (existsSync(projects)) {
    const folders = readdirSync(projects, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length
    findings.push({
      about: 'transcripts',
      state: 'good',
      says: `${countOf(folders, 'project folder')} in ${projects}`,
      todo: '`inquest import --claude` takes them in.',
    })
  } else
    findings.push({
      about: 'transcripts',
      state: 'note',
      says: `no folder ${projects}`,
      todo: 'Set CLAUDE_CONFIG_DIR when the agent keeps its history elsewhere.',
    })
  for (const [about, file] of [['hook (user)', userSettings(env)], ['hook (this folder)', projectSettings(process.cwd())]] as const) {
    findings.push(hookFinding(about, file))
  }
  return findings
}

function hookFinding(about: string, file: string): Finding {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      return { about, state: 'bad', says: `${file} could not be read (${(error as NodeJS.ErrnoException).code})` }
  }
  try {
    const events = connectedEvents(text)
    const flag = about.includes('user') ? ' --user' : ''
    if (events.length === 0)
      return { about, state: 'note', says: `not connected in ${file}`, todo: `\`inquest hook --install${flag}\` connects it.` }
    const missing = HOOK_EVENTS.length - events.length
    return {
      about,
      state: 'good',
      says: `connected to ${countOf(events.length, 'event')} in ${file}${missing > 0 ? `, ${missing} left out` : ''}`,
    }
  } catch (error) {
    return { about, state: 'bad', says: `${file}: ${(error as Error).message}`, todo: 'Mend the file; the agent cannot read it either.' }
  }
}

/** No server is known: the same text that other verbs end with. */
export const settingsFinding = (error: CliFailure): Finding => ({ about: 'server', state: 'bad', says: error.message })
