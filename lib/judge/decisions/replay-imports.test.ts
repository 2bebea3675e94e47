import { build } from 'esbuild'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const REPLAYED = ['decide.ts', 'what-if.ts', 'unknowns.ts', 'policies.ts']

test('what the browser replays brings no engine for patterns and no parser', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: REPLAYED.map((file) => join(import.meta.dirname, file)),
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
  })
  const inputs = Object.keys(metafile.inputs)
  expect(
    inputs.filter(
      (path) => path.includes('node_modules') || /patterns[.]ts|python-json|parse-stdout/.test(path),
    ),
  ).toEqual([])
  expect(inputs.some((path) => path.endsWith('lib/judge/decisions/verdict.ts'))).toBe(true)
  expect(outputFiles.reduce((bytes, file) => bytes + file.contents.length, 0)).toBeLessThan(24_000)
})
