#!/usr/bin/env node
// CommonJS, because Node takes longer to load one ES module than a whole hook may take (docs/performance.md, hook-start).
'use strict'
const { existsSync } = require('node:fs')

const isHook = process.argv[2] === 'hook' && process.argv.length === 3
const program = `${__dirname}/../dist/${isHook ? 'hook' : process.argv[2] === 'record' ? 'record' : 'inquest'}.cjs`

/** A server that starts from old files would meet new pages; every other command only needs its file. */
const build = !existsSync(program)
  ? ({ buildCli }) => buildCli()
  : process.argv[2] === 'up' && existsSync(`${__dirname}/../scripts/build-cli.mjs`)
    ? ({ buildStaleCli }) => buildStaleCli()
    : null

if (build === null) require(program)
else {
  import('../scripts/build-cli.mjs')
    .then(build)
    .then(() => require(program))
    .catch((error) => {
      console.error(
        `inquest is not built yet, and could not be built now (${error.message.split('\n')[0]}). Run \`npm ci\` in the clone.`,
      )
      // A hook must not hold up its agent.
      process.exit(isHook ? 0 : 5)
    })
}
