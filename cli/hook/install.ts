import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { hookInstallText } from '@/lib/words/cli/hook-install'
import { CliFailure } from '../exit-codes'
import { stateFolder } from '../settings'
import type { Environment } from '../settings'
import { connectHooks, disconnectHooks, SettingsProblem } from './hook-settings'

/** Settings of one project: those of one person there, which stay on this machine, or those that everybody shares, usually by git. */
export const projectSettings = (folder: string, whose: 'own' | 'shared'): string =>
  join(resolve(folder), '.claude', whose === 'own' ? 'settings.local.json' : 'settings.json')
export const claudeFolder = (env: Environment): string =>
  env.CLAUDE_CONFIG_DIR || join(env.HOME ?? homedir(), '.claude')
export const userSettings = (env: Environment): string => join(claudeFolder(env), 'settings.json')

export interface Change {
  file: string
  changed: boolean
  /** Copy of the settings that were there before; null: there were none. */
  backup: string | null
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

export function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CliFailure(
      'partly',
      hookInstallText.unreadable({ file, code: (error as NodeJS.ErrnoException).code }),
      {
        cause: error,
      },
    )
  }
}

/** Backups live in the state folder: nothing but the settings themselves is left in the project. */
const backupPaths = (env: Environment, file: string): { text: string; note: string } => {
  const base = join(stateFolder(env), 'backups', digest(file).slice(0, 16))
  return { text: `${base}.settings.json`, note: `${base}.json` }
}

/**
 * Replaces a file in one step, through a symbolic link if it is one, with the mode it had.
 *
 * @returns the uppermost folder that was made for it; null when it was there
 */
function replaceFile(file: string, text: string): string | null {
  let made: string | null = null
  let target = file
  let mode = 0o644
  try {
    target = realpathSync(file)
    mode = statSync(target).mode & 0o777
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    made = mkdirSync(dirname(file), { recursive: true }) ?? null
  }
  const draft = `${target}.${process.pid}.tmp`
  try {
    writeFileSync(draft, text, { mode })
    renameSync(draft, target)
    return made
  } catch (error) {
    rmSync(draft, { force: true })
    throw new CliFailure(
      'partly',
      hookInstallText.notWritten({ file, code: (error as NodeJS.ErrnoException).code }),
      { cause: error },
    )
  }
}

const guarded = (file: string, edit: () => string): string => {
  try {
    return edit()
  } catch (error) {
    if (error instanceof SettingsProblem)
      throw new CliFailure('partly', `${file} was not changed: ${error.message}.`, { cause: error })
    throw error
  }
}

/** Connects the hook in a settings file; what was there before is kept in the state folder. */
export function installHook(
  file: string,
  command: string,
  events: readonly string[] | undefined,
  env: Environment,
): Change {
  const before = readText(file)
  const after = guarded(file, () => connectHooks(before ?? '', command, events))
  if (after === before) return { file, changed: false, backup: null }
  const backup = backupPaths(env, file)
  mkdirSync(dirname(backup.text), { recursive: true, mode: 0o700 })
  const earlier = readNote(backup.note)
  // A second install over our own first one must not make our entries the "original".
  const ours = earlier !== null && before !== null && earlier.after === digest(before) ? earlier : null
  if (ours === null) writeFileSync(backup.text, before ?? '', { mode: 0o600 })
  const existed = ours?.existed ?? before !== null
  const made = replaceFile(file, after)
  const note: Note = { file, existed, made: ours?.made ?? made, after: digest(after) }
  writeFileSync(backup.note, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  return { file, changed: true, backup: existed ? backup.text : null }
}

/**
 * Undoes `installHook`: to the very bytes when nobody else changed the file since, else by taking out only our entries.
 */
export function uninstallHook(file: string, env: Environment): Change {
  const text = readText(file)
  if (text === null) return { file, changed: false, backup: null }
  const backup = backupPaths(env, file)
  const note = readNote(backup.note)
  if (note && note.after === digest(text)) {
    if (note.existed) replaceFile(file, readFileSync(backup.text, 'utf8'))
    else removeMade(file, note.made ?? null)
    rmSync(backup.note)
    return { file, changed: true, backup: note.existed ? backup.text : null }
  }
  const after = guarded(file, () => disconnectHooks(text))
  if (after === text) return { file, changed: false, backup: null }
  replaceFile(file, after)
  return { file, changed: true, backup: null }
}

/** Removes a file that an installation made, and the folders that it made for it, unless something else is in them by now. */
function removeMade(file: string, made: string | null): void {
  rmSync(realpathSync(file))
  if (made === null) return
  for (let folder = dirname(file); folder.startsWith(made); folder = dirname(folder)) {
    try {
      rmdirSync(folder)
    } catch {
      return
    }
  }
}

/** What is known of an installation. */
interface Note {
  file: string
  /** Whether there were settings before. */
  existed: boolean
  /** The uppermost folder that was made for the file; installations of 0.1.0 do not say. */
  made?: string | null
  /** Digest of the settings with the hook. */
  after: string
}

function readNote(path: string): Note | null {
  const text = readText(path)
  try {
    return text === null ? null : (JSON.parse(text) as Note)
  } catch {
    return null
  }
}
