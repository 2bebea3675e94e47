import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { hookInstallText } from '@/lib/words/cli/hook-install'
import { withoutSecrets } from '../child-environment'
import { CliFailure } from '../exit-codes'
import type { ExitName } from '../exit-codes'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { connectedCommands, connectedEvents, HOOK_EVENTS, hookCommand, settingsBlock } from './hook-settings'
import { installHook, projectSettings, readText, uninstallHook, userSettings } from './install'

export interface HookFlags {
  json?: boolean
  install?: boolean
  uninstall?: boolean
  print?: boolean
  project?: boolean
  user?: boolean
  shared?: boolean
  events?: string
}

function chosenEvents(text: string | undefined): readonly string[] {
  if (text === undefined) return HOOK_EVENTS
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const unknown = names.filter((name) => !(HOOK_EVENTS as readonly string[]).includes(name))
  if (names.length === 0 || unknown.length > 0) {
    throw new CliFailure(
      'usage',
      `${unknown.length > 0 ? `Unknown: ${unknown.join(', ')}. ` : ''}Events: ${HOOK_EVENTS.join(', ')}.`,
    )
  }
  return names
}

/** `hook --install`, `--uninstall` and `--print`. */
export async function runHookSettings(
  flags: HookFlags,
  { env, program, folder = process.cwd() }: { env: Environment; program: string; folder?: string },
  output: Output,
): Promise<ExitName> {
  if (flags.project && flags.user) throw new CliFailure('usage', hookInstallText.projectOrUser)
  if (flags.shared && flags.user) throw new CliFailure('usage', 'Choose either --shared or --user.')
  if ([flags.install, flags.uninstall, flags.print].filter(Boolean).length > 1) {
    throw new CliFailure('usage', hookInstallText.oneAction)
  }
  const events = chosenEvents(flags.events)
  const command = hookCommand(process.execPath, program)
  if (flags.print) {
    output.line(JSON.stringify(settingsBlock(command, events), null, 2))
    output.record(settingsBlock(command, events))
    return 'fine'
  }
  if (flags.uninstall) return uninstall(flags, env, folder, output)
  const file = flags.user ? userSettings(env) : projectSettings(folder, flags.shared ? 'shared' : 'own')
  const other = flags.user ? null : projectSettings(folder, flags.shared ? 'own' : 'shared')
  const elsewhere = other === null ? [] : connectedCommands(readText(other) ?? '')
  // Frames carry the time of their hook, so two entries would send each frame twice.
  const covered =
    !flags.shared && elsewhere.length === 1 && elsewhere[0] === command && connectsAll(other!, events)
  const change = covered
    ? { file: other!, changed: false, backup: null }
    : installHook(file, command, events, env)
  output.record({ ...change, command, events })
  output.line(
    change.changed
      ? hookInstallText.installed({ file, events: events.length })
      : hookInstallText.alreadyInstalled({ file: change.file }),
  )
  output.line(`It runs: ${command}`)
  const undo = `inquest hook --uninstall${flags.user ? ' --user' : ''}`
  if (covered) output.line(hookInstallText.sharedSettings)
  else if (elsewhere.some((one) => one !== command))
    output.note(hookInstallText.installedTwice({ other, elsewhere }))
  else if (elsewhere.length > 0) output.line(hookInstallText.otherFileToo({ other }))
  if (change.changed)
    output.line(
      `${change.backup === null ? '' : hookInstallText.backupKept({ backup: change.backup })}\`${undo}\` undoes this.`,
    )
  if (change.changed && !flags.user && isCommittable(folder, file))
    output.line(
      flags.shared
        ? hookInstallText.hasLocalPaths
        : hookInstallText.ignoreFile({ path: relative(folder, file) }),
    )
  return 'fine'
}

const connectsAll = (file: string, events: readonly string[]): boolean => {
  const connected = connectedEvents(readText(file) ?? '')
  return events.every((event) => connected.includes(event))
}

/** Takes the hook out of both settings of the folder, since either may hold it; one that cannot be read does not keep the other. */
function uninstall(flags: HookFlags, env: Environment, folder: string, output: Output): ExitName {
  const files = flags.user
    ? [userSettings(env)]
    : (flags.shared ? (['shared'] as const) : (['own', 'shared'] as const)).map((whose) =>
        projectSettings(folder, whose),
      )
  let trouble: unknown = null
  let found = false
  for (const file of files) {
    try {
      const change = uninstallHook(file, env)
      output.record(change)
      if (change.changed) output.line(`${file}: removed the hook.`)
      found ||= change.changed
    } catch (error) {
      trouble ??= error
    }
  }
  if (trouble !== null) throw trouble
  if (!found) output.line(hookInstallText.noHookFound({ files }))
  return 'fine'
}

/** Whether git would take the file into a commit; false where there is no git, or no repository. */
const isCommittable = (folder: string, file: string): boolean =>
  spawnSync('git', ['-C', folder, 'check-ignore', '-q', file], {
    stdio: 'ignore',
    env: withoutSecrets(process.env),
  }).status === 1
