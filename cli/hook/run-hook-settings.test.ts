import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOutput } from '../output'
import { makeFolder, program } from '../testing/run-cli'
import { connectHooks, HOOK_EVENTS, hookCommand } from './hook-settings'
import { type HookFlags, runHookSettings } from './run-hook-settings'

let folder: ReturnType<typeof makeFolder>
let work: string
beforeEach(() => {
  folder = makeFolder()
  work = join(folder.path, 'work')
  mkdirSync(work)
})
afterEach(() => folder.remove())

const own = (): string => join(work, '.claude', 'settings.local.json')
const shared = (): string => join(work, '.claude', 'settings.json')
const eventsIn = (file: string): string[] => Object.keys(JSON.parse(readFileSync(file, 'utf8')).hooks)
const env = (): Record<string, string> => ({
  HOME: folder.path,
  INQUEST_STATE: join(folder.path, 'state'),
  INQUEST_URL: 'https://inquest.example',
  INQUEST_TOKEN: 'inq_the_key_itself',
})

/** Runs the verb in the folder, and answers all that it said. */
async function hook(flags: HookFlags): Promise<string> {
  let said = ''
  const stream = new Writable({
    write(chunk, _, done) {
      said += String(chunk)
      done()
    },
  })
  await runHookSettings(flags, { env: env(), program, folder: work }, createOutput(false, stream, stream))
  return said
}

test('an installation is written to the settings of one person, without the key', async () => {
  expect(await hook({ install: true })).toContain(own())
  expect(existsSync(shared())).toBe(false)
  expect(eventsIn(own())).toEqual([...HOOK_EVENTS])
  expect(readFileSync(own(), 'utf8')).not.toContain('inq_the_key_itself')
  expect(readFileSync(own(), 'utf8')).not.toContain('inquest.example')
})

test('--shared writes the settings that the folder shares', async () => {
  await hook({ install: true, shared: true })
  expect(existsSync(own())).toBe(false)
  expect(eventsIn(shared())).toEqual([...HOOK_EVENTS])
})

test('an uninstallation finds both', async () => {
  await hook({ install: true, shared: true })
  await hook({ install: true, events: 'Stop', shared: false })
  folder.put('work/.claude/settings.local.json', connectHooks('{}', hookCommand('/usr/bin/node', program)))
  const said = await hook({ uninstall: true })
  expect(said).toContain(`${own()}: removed the hook.`)
  expect(said).toContain(`${shared()}: removed the hook.`)
  expect(existsSync(shared())).toBe(false)
  expect(JSON.parse(readFileSync(own(), 'utf8'))).toEqual({})
  expect(await hook({ uninstall: true })).toContain('No Inquest hook found')
})

test('where there were no settings, none are said to be kept, and the folder made for them goes with them', async () => {
  const said = await hook({ install: true })
  expect(said).toContain('`inquest hook --uninstall` undoes this.')
  expect(said).not.toMatch(/before|kept|backups/)
  await hook({ install: true, events: 'Stop' })
  await hook({ uninstall: true })
  expect(existsSync(join(work, '.claude'))).toBe(false)
  expect(existsSync(work)).toBe(true)
})

test('settings from before are named with their copy, and a folder that was there or is used by now stays', async () => {
  folder.put('work/.claude/settings.local.json', '{}')
  expect(await hook({ install: true })).toMatch(
    /The previous settings were saved as \S+[.]settings[.]json[.] `inquest hook --uninstall` undoes this[.]/,
  )
  await hook({ uninstall: true })
  expect(readFileSync(own(), 'utf8')).toBe('{}')
  rmSync(own())
  await hook({ install: true })
  await hook({ uninstall: true })
  expect(existsSync(join(work, '.claude'))).toBe(true)
  rmdirSync(join(work, '.claude'))
  await hook({ install: true })
  folder.put('work/.claude/commands/a.md', '# a')
  await hook({ uninstall: true })
  expect([existsSync(own()), existsSync(join(work, '.claude/commands/a.md'))]).toEqual([false, true])
})

test('one of two settings that cannot be read does not keep the hook in the other', async () => {
  await hook({ install: true, shared: true })
  folder.put('work/.claude/settings.local.json', '{ torn')
  await expect(hook({ uninstall: true })).rejects.toThrow(/was not changed/)
  expect(existsSync(shared())).toBe(false)
})

test('the same hook in the shared settings is named and left, and nothing is written beside it', async () => {
  await hook({ install: true, shared: true })
  const said = await hook({ install: true })
  expect(said).toContain(`${shared()}: the hook is already installed.`)
  expect(said).toContain('shared with everyone')
  expect(existsSync(own())).toBe(false)
})

test('the shared settings after those of one person are said to hold the hook too, and paths of this machine', async () => {
  execFileSync('git', ['init', '-q', work])
  await hook({ install: true })
  const said = await hook({ install: true, shared: true })
  expect(said).toContain(
    `${own()} also contains the hook. \`inquest hook --uninstall\` removes it from both files.`,
  )
  expect(said).toContain(
    'The file contains paths on this machine, so it works for others only if theirs are the same.',
  )
  expect(said).not.toContain('.gitignore')
})

test('a hook with the path of another machine in the shared settings is named', async () => {
  folder.put('work/.claude/settings.json', connectHooks('{}', 'node /home/ada/inquest/bin/inquest.cjs hook'))
  const said = await hook({ install: true })
  expect(said).toContain('/home/ada/inquest/bin/inquest.cjs')
  expect(said).toContain('sent twice')
  expect(eventsIn(own())).toEqual([...HOOK_EVENTS])
})

test('where git would commit the file, that is said', async () => {
  expect(await hook({ install: true })).not.toContain('.gitignore')
  await hook({ uninstall: true })
  execFileSync('git', ['init', '-q', work])
  expect(await hook({ install: true })).toContain('Add .claude/settings.local.json to .gitignore')
  await hook({ uninstall: true })
  folder.put('work/.gitignore', 'settings.local.json\n')
  expect(await hook({ install: true })).not.toContain('.gitignore')
})

test('Choose either --shared or --user', async () => {
  await expect(hook({ install: true, user: true, shared: true })).rejects.toThrow(/--shared or --user/)
})
