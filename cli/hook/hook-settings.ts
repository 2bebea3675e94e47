import { parse, printParseErrorCode } from 'jsonc-parser'
import type { ParseError } from 'jsonc-parser'
import { hookInstallText } from '@/lib/words/cli/hook-install'
import { addTo, removeAt, setAt } from './edit-json'

/** Events of Claude Code that end up as facts, in the order of a session. Each is connected by `hook --install`. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'SubagentStart',
  'SubagentStop',
  'TaskCreated',
  'TaskCompleted',
  'Notification',
  'PreCompact',
  'PostCompact',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const

/** Events whose entries choose tools by a matcher. */
const withMatcher = new Set<string>([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
])

/** Seconds after which the agent itself gives up on a hook; ours ends long before. */
const timeoutS = 10

interface Group {
  matcher?: string
  hooks?: { type?: string; command?: string; timeout?: number }[]
}

/** The settings cannot be changed without guessing; nothing was written. */
export class SettingsProblem extends Error {
  override name = 'SettingsProblem'
}

/** A word for a shell: quoted only when it must be. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The command line that an agent runs for each frame. */
export const hookCommand = (node: string, program: string): string =>
  `${shellWord(node)} ${shellWord(program)} hook`

const ours = (command: unknown): boolean =>
  typeof command === 'string' && /inquest\.(mjs|cjs)'? hook$/.test(command)

const groupFor = (event: string, command: string): Group => ({
  ...(withMatcher.has(event) ? { matcher: '*' } : {}),
  hooks: [{ type: 'command', command, timeout: timeoutS }],
})

/** The block that `--print` shows, for settings that are written by hand or by another tool. */
export const settingsBlock = (command: string, events: readonly string[] = HOOK_EVENTS): object => ({
  hooks: Object.fromEntries(events.map((event) => [event, [groupFor(event, command)]])),
})

/** The hooks, or null when the settings have none. */
function readHooks(text: string): Record<string, Group[]> | null {
  const errors: ParseError[] = []
  const document: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0) {
    const line = text.slice(0, errors[0]!.offset).split('\n').length
    throw new SettingsProblem(
      hookInstallText.invalidJson({ error: printParseErrorCode(errors[0]!.error), line }),
    )
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new SettingsProblem('not a JSON object')
  const hooks = (document as { hooks?: unknown }).hooks
  if (hooks === undefined) return null
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks))
    throw new SettingsProblem(hookInstallText.hooksNotObject)
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) throw new SettingsProblem(hookInstallText.eventNotList({ event }))
  }
  return hooks as Record<string, Group[]>
}

const isEmpty = (text: string): boolean => text.replace(/^\ufeff/, '').trim() === ''

/** Adds our entry to each event and leaves every other byte alone. Doing it again changes nothing, or only our own path. */
export function connectHooks(text: string, command: string, events: readonly string[] = HOOK_EVENTS): string {
  let result = isEmpty(text) ? '{}\n' : text
  const mark = result.startsWith('\ufeff') ? '\ufeff' : ''
  result = result.slice(mark.length)
  if (readHooks(result) === null) result = addTo(result, [], 'hooks', {})
  for (const event of events) {
    const groups = readHooks(result)?.[event]
    const places = placesOf(groups ?? [])
    for (const place of places)
      if (place.command !== command)
        result = setAt(result, ['hooks', event, place.group, 'hooks', place.hook, 'command'], command)
    if (groups === undefined) result = addTo(result, ['hooks'], event, [groupFor(event, command)])
    else if (places.length === 0) result = addTo(result, ['hooks', event], null, groupFor(event, command))
  }
  return mark + result
}

/** Takes our entries out again, and the lists and objects that are empty without them. */
export function disconnectHooks(text: string): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  let result = text.slice(mark.length)
  for (const [event, groups] of Object.entries(readHooks(result) ?? {})) {
    // From the back, so that the numbers of what is still to go stay right.
    for (const place of placesOf(groups).reverse()) {
      const now = readHooks(result) ?? {}
      if (now[event]![place.group]!.hooks!.length > 1)
        result = removeAt(result, ['hooks', event, place.group, 'hooks', place.hook])
      else if (now[event]!.length > 1) result = removeAt(result, ['hooks', event, place.group])
      else if (Object.keys(now).length > 1) result = removeAt(result, ['hooks', event])
      else result = removeAt(result, ['hooks'])
    }
  }
  return mark + result
}

/** The commands of our entries, each once; of settings that cannot be read none. */
export function connectedCommands(text: string): string[] {
  try {
    const hooks = isEmpty(text) ? null : readHooks(text.replace(/^\ufeff/, ''))
    return [
      ...new Set(
        Object.values(hooks ?? {})
          .flatMap(placesOf)
          .map((place) => place.command),
      ),
    ]
  } catch (error) {
    if (error instanceof SettingsProblem) return []
    throw error
  }
}

/** The events that our entry is connected to. */
export const connectedEvents = (text: string): string[] =>
  isEmpty(text)
    ? []
    : Object.entries(readHooks(text.replace(/^\ufeff/, '')) ?? {}).flatMap(([event, groups]) =>
        placesOf(groups).length > 0 ? [event] : [],
      )

function placesOf(groups: Group[]): { group: number; hook: number; command: string }[] {
  return groups.flatMap((group, groupAt) =>
    (Array.isArray(group?.hooks) ? group.hooks : []).flatMap((hook, hookAt) =>
      ours(hook?.command) ? [{ group: groupAt, hook: hookAt, command: hook.command! }] : [],
    ),
  )
}
