import { buildCli } from '../build-cli.mjs'

/** Before the first test file: what tests run as programs is of today's sources. */
export default async function setup(): Promise<void> {
  await buildCli()
}
