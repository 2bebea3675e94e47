import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Digest of everything that something is built from; tests and notes aside. Missing files and folders count as empty.
 *
 * @param {string} root the project's folder
 * @param {{ folders: string[], files: string[] }} sources relative to it
 * @returns {Promise<string>} SHA-256 in hex
 */
export async function sourceDigest(root, sources) {
  const hash = createHash('sha256').update(`node ${process.versions.node.split('.')[0]}\n`)
  const files = [...sources.files]
  for (const folder of sources.folders) {
    const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    for (const entry of entries) {
      if (entry.isFile() && !/[.]test[.]tsx?$|[.]md$/.test(entry.name))
        files.push(path.relative(root, path.join(entry.parentPath, entry.name)))
    }
  }
  for (const file of files.sort()) {
    const bytes = await readFile(path.join(root, file)).catch(() => null)
    if (bytes) hash.update(`${file} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}
