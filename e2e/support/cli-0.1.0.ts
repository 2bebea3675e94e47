import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { root } from './server'

/**
 * Unpacks the command line and the action of version 0.1.0, as `node scripts/build-cli.mjs` built them at commit `296e19b`. They are in
 * use in CI jobs and hooks that nobody updates together with the server.
 *
 * @returns the folder, with `bin/inquest.cjs` and `action.yml`
 */
export function unpackCli(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inquest-cli-0.1.0-'))
  const archive = readFileSync(join(root, 'e2e/fixtures/cli-0.1.0.json.br'))
  const files = JSON.parse(brotliDecompressSync(archive).toString()) as Record<string, string>
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return folder
}
