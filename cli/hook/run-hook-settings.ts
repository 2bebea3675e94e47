import { CliFailure } from '../exit-codes'
import type { ExitName } from '../exit-codes'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { HOOK_EVENTS, hookCommand, settingsBlock } from './hook-settings'
import { installHook, projectSettings, uninstallHook, userSettings } from './install'

export interface HookFlags {
  json?: boolean
  install?: boolean
  uninstall?: boolean
  print?: boolean
  project?: boolean
  user?: boolean
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
      `${unknown.length > 0 ? `Unknown: ${unknown.join(', ')}. ` : ''}The events are ${HOOK_EVENTS.join(', ')}.`,
    )
  }
  return names
}

/** `hook --install`, `--uninstall` and `--print`. */
export async function runHookSettings(
  flags: HookFlags,
  { env, program }: { env: Environment; program: string },
  output: Output,
): Promise<ExitName> {
  if (flags.project && flags.user) throw new CliFailure('usage', 'Choose --project or --user, not both.')
  if ([flags.install, flags.uninstall, flags.print].filter(Boolean).length > 1) {
    throw new CliFailure('usage', 'Choose one of --install, --uninstall and --print.')
  }
  const events = chosenEvents(flags.events)
  const command = hookCommand(process.execPath, program)
  if (flags.print) {
    output.line(JSON.stringify(settingsBlock(command, events), null, 2))
    output.record(settingsBlock(command, events))
    return 'fine'
  }
  const file = flags.user ? userSettings(env) : projectSettings(process.cwd())
  const change = flags.uninstall ? uninstallHook(file, env) : installHook(file, command, events, env)
  output.record({ ...change, ...(flags.install ? { command, events } : {}) })
  if (flags.uninstall)
    output.line(change.changed ? `${file}: the hook was taken out.` : `${file}: there was no hook of ours.`)
  else {
    output.line(
      change.changed
        ? `${file}: the hook is connected to ${events.length} events.`
        : `${file}: the hook was connected already.`,
    )
    output.line(`It runs: ${command}`)
    if (change.backup)
      output.line(
        `What was there before is kept as ${change.backup}; \`inquest hook --uninstall\` undoes this.`,
      )
  }
  return 'fine'
}
