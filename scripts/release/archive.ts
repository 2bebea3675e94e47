import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Packs a folder beside itself, with nothing in it that tells who packed it or when. Needs GNU tar. */
export function packFolder(out: string, name: string, epoch: number): void {
  const same = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    `--mtime=@${epoch}`,
    '--mode=u+rwX,go+rX,go-w',
  ]
  const args = [...same, '--use-compress-program=gzip -n', '-cf', `${name}.tar.gz`, name]
  const { status, stderr } = spawnSync('tar', args, { cwd: out, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name}.tar.gz could not be made (GNU tar is needed): ${stderr}`)
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Writes `SHA256SUMS` of the files of a release, as `sha256sum --check` reads it. */
export async function writeChecksums(out: string): Promise<string[]> {
  const files = readdirSync(out)
    .filter((name) => name !== 'SHA256SUMS' && statSync(join(out, name)).isFile())
    .sort()
  const lines = await Promise.all(files.map(async (name) => `${await sha256Of(join(out, name))}  ${name}`))
  await writeFile(join(out, 'SHA256SUMS'), `${lines.join('\n')}\n`)
  return lines
}
