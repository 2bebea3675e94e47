import type { FileResult } from './run-files'

/** Parts of a script that have counts of their own, by how the names of their checks begin: what is checked of canned values, and what of a run on a cluster. */
const PARTS = new Map([
  ['static', 'static'],
  ['cluster', 'live'],
])

/** A line for each script of the source whose checks cases stand for: how many of its checks passed, and the names of the others. A part of one has its own. */
export function checkTable(results: readonly FileResult[]): string[] {
  const scripts = new Map<string, Map<string, boolean>>()
  for (const [name, passed] of results.flatMap(({ checks }) => Object.entries(checks ?? {}))) {
    const [file, check = ''] = name.split('#') as [string, string | undefined]
    const part = PARTS.get(/^[a-z]+(?=_)/.exec(check)?.[0] ?? '')
    const script = part === undefined ? file : `${file}, ${part}`
    const ofScript = scripts.get(script) ?? new Map<string, boolean>()
    scripts.set(script, ofScript.set(check, (ofScript.get(check) ?? true) && passed))
  }
  const width = Math.max(...[...scripts.keys()].map((script) => script.length))
  return [...scripts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([script, checks]) => {
      const failing = [...checks].filter(([, passed]) => !passed).map(([check]) => check)
      const counts = `${script.padEnd(width)}  ${checks.size - failing.length} of ${checks.size} checks`
      return failing.length > 0 ? `${counts}, not ${failing.join(', ')}` : counts
    })
}
