import { replace, settle, type Finding, type Redacted } from './finding'
import { eachJsonValue } from '../json-values'
import { mayHoldSecret } from './prefilter'
import { loadRules, type FindSecrets } from './rules'
import { layersOf, windowsOf } from './readings'
import { accountFinding, keyedSecret } from './own-rules'

/**
 * Takes secrets, mail addresses and account fields out of one line and leaves `[redacted:<rule>]` in their place. A JSON line stays JSON of
 * the same shape: only what is inside string values (and numbers among response headers) changes, no key does and no escape is cut.
 * Redacting twice changes nothing more. Ask `mayHoldSecret` first where a wait costs.
 *
 * @see docs/sources/README.md#redaction
 */
export async function redactLine(text: string): Promise<Redacted> {
  return mayHoldSecret(text) ? redactWith(await loadRules(), text) : { text, marks: [] }
}

/**
 * `redactLine` with the rules at hand. What is left is looked at again until nothing more is found.
 *
 * @param also finds what no rule knows, in the text as it came; null: nothing
 * @param isExact whether a value, by the keys that lead to it, must stay as it is; unset: none must
 */
export function redactWith(
  find: FindSecrets,
  text: string,
  also: ((text: string) => Finding[]) | null = null,
  isExact?: (path: readonly string[]) => boolean,
): Redacted {
  let redacted: Redacted = { text, marks: [] }
  let others = also?.(text) ?? []
  for (;;) {
    const findings = settle([...others, ...findingsIn(redacted.text, find, isExact)], redacted.text)
    others = []
    if (findings.length === 0) return redacted
    redacted = replace(redacted, findings)
  }
}

function findingsIn(
  text: string,
  find: FindSecrets,
  isExact?: (path: readonly string[]) => boolean,
): Finding[] {
  const found: Finding[] = []
  const isJson = eachJsonValue(text, (leaf, path) => {
    if (isExact?.(path)) return
    const own = accountFinding(leaf, path) ?? keyedSecret(text, leaf, path)
    if (own) found.push(own)
    if (leaf.isString) found.push(...findingsInString(text.slice(leaf.start, leaf.end), find, leaf.start))
  })
  if (isJson) return found
  // No JSON: the text unchanged, and as it reads when its escapes are undone (a torn line).
  return [...windowed(text, find, 0), ...findingsInString(text, find, 0)]
}

/** Findings in the readings of what is between two quotes. */
function findingsInString(raw: string, find: FindSecrets, base: number): Finding[] {
  return windowed(
    raw,
    (text) => {
      if (!mayHoldSecret(text)) return []
      return [...layersOf(text)].flatMap((layer) =>
        find(layer.text).map((f) => ({ rule: f.rule, start: layer.toRaw(f.start), end: layer.toRaw(f.end) })),
      )
    },
    base,
  )
}

/** Looks at a long text stretch by stretch; `base` is where it begins. */
export function windowed(raw: string, find: FindSecrets, base: number): Finding[] {
  const found: Finding[] = []
  for (const window of windowsOf(raw)) {
    for (const f of find(window.text)) {
      if (f.start >= window.from && f.end <= window.until)
        found.push({ rule: f.rule, start: base + window.start + f.start, end: base + window.start + f.end })
    }
  }
  return found
}
