import { MARKER } from './payloads'

/** Fields by which records are identified, ordered and joined: a changed one would only make the record unread. */
const STRUCTURE =
  /(^|_)(type|role|id|ids|uuid|kind|status|version|subtype|channel|termination|outcome|hook_event_name)$|[a-z](Id|Ids|Uuid|Type|At|Key|Kind|Status|Sha256|Run|Reason|Confirmation)$|timestamp|_at$|sha|hash|digest|base64|encoding|signature|proof|context$|marker|expect$|^(asyncPipelineRun|file|meta|cacheKey|signal|chain_id|stop_reason|state|mode|phase|endedBy)$/
const VALUE_OF_STRUCTURE = /^(\d{4}-\d\d-\d\dT|[0-9a-f-]{32,}$|\d+$)/

/** The payload behind the marker, in front of the text; behind the first line of an error, by which its kind is told. */
export function withPayload(text: string, payload: string): string {
  const planted = `${MARKER} ${payload}`
  return /^(Exit code \d+|<tool_use_error>)/.test(text)
    ? text.replace(/^(Exit code \d+\n?|<tool_use_error>)/, `$1${planted} `)
    : `${planted} ${text}`
}

/** Every text in a value that a person may come to read gets the payload; what gives the value its structure stays. */
export function poison(value: unknown, payload: string, key = ''): unknown {
  if (typeof value === 'string')
    return STRUCTURE.test(key) || VALUE_OF_STRUCTURE.test(value) ? value : withPayload(value, payload)
  if (Array.isArray(value)) return value.map((one) => poison(one, payload, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, payload, name)]))
}

/** The same for lines of JSON; other lines get it as the text they are. */
export const poisonLines = (text: string, payload: string): string =>
  text
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line
      try {
        return JSON.stringify(poison(JSON.parse(line), payload))
      } catch {
        return withPayload(line, payload.replaceAll('\n', ' '))
      }
    })
    .join('\n')
