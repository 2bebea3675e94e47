import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { readFlags } from './read-flags'
import { readPatch } from './read-patch'

/** Patterns that see every changed line of a patch, whoever wrote it. */
const FILES = ['signal-lines.ts', 'loosened.ts', 'manifest-lines.ts', 'claims.ts']

function patternsIn(file: string): string[] {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) || (ts.isTemplateLiteral(node) && /\\[sdw]/.test(node.getText())))
      found.push(node.getText())
    ts.forEachChild(node, walk)
  }
  walk(
    ts.createSourceFile(
      file,
      readFileSync(new URL(file, import.meta.url), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    ),
  )
  return found
}

test.each(FILES)('no pattern of %s repeats without a bound: time is linear in the line', (file) => {
  const patterns = patternsIn(file)
  expect(patterns.length).toBeGreaterThan(0)
  const unbounded = patterns.filter((source) =>
    /[*+]|\{\d+,\}/.test(
      source
        .replace(/^`|`$|\\./gs, '')
        .replace(/\[[^\]]*\]/g, '[]')
        .replace(/^\/|\/\w*$/g, ''),
    ),
  )
  expect(unbounded).toEqual([])
})

const created = (name: string, lines: string[]): string =>
  `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`

// With repeats that could be tried from every place each of these took a minute or more.
test.each([
  [
    'lines of half a handler',
    created(
      'a.ts',
      Array.from({ length: 3_000 }, () => `catch${' '.repeat(3_990)}`),
    ),
  ],
  [
    'lines of half a test',
    created(
      'a.ts',
      Array.from({ length: 3_000 }, () => 'it.'.repeat(1_330)),
    ),
  ],
  [
    'folders in folders',
    Array.from(
      { length: 3_000 },
      (_, i) => `diff --git a/${'a/'.repeat(1_990)}${i} b/${'a/'.repeat(1_990)}${i}\nnew file mode 100644\n`,
    ).join(''),
  ],
])(
  '%s are read to their end',
  (_what, text) => {
    const bytes = new TextEncoder().encode(text)
    const patch = readPatch(bytes)
    expect([patch.verdict, readFlags(bytes, patch).length > 0]).toEqual(['ok', true])
  },
  30_000,
)
