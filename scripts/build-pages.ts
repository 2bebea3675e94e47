import { resolve } from 'node:path'
import { ensureBuild } from '../server/build'
import { buildCli } from './build-cli.mjs'

/** Builds the command line and, when their sources changed, the pages, so that no test has to wait for either. */
await buildCli()
await ensureBuild(
  resolve(import.meta.dirname, '..'),
  { say: console.log, doing: () => {} },
  new AbortController().signal,
)
