#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

// `require`, because it does not read the whole bundle for its exports before it starts.
const require = createRequire(import.meta.url)
const program = process.argv[2] === 'hook' && process.argv.length === 3 ? '../dist/hook.cjs' : '../dist/inquest.cjs'

if (!existsSync(new URL(program, import.meta.url))) {
  try {
    const { buildCli } = await import('../scripts/build-cli.mjs')
    await buildCli()
  } catch (error) {
    console.error(`inquest is not built yet, and could not be built now (${error.message.split('\n')[0]}). Run \`npm ci\` in the clone.`)
    // A hook must not hold up its agent.
    process.exit(process.argv[2] === 'hook' ? 0 : 5)
  }
}
require(program)
