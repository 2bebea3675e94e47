import { randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startText } from '@/lib/words/server/start'
import { makePrivateFolder } from './private-folder'

/** The key that signs sessions: the one given, else the one kept in the data folder, which is made at the first start. */
export async function ensureSecret(dataDir: string, given: string | undefined): Promise<string> {
  if (given) return given
  const file = path.join(dataDir, 'secret')
  const known = await readSecret(file)
  if (known !== null) return known
  await makePrivateFolder(dataDir)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 })
  // Of two processes that start at once, the first one's secret stays.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
  return (await readSecret(file))!
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const text = (await readFile(file, 'utf8')).trim()
    if (text.length < 32) throw new Error(startText.secretTooShort({ file }))
    await chmod(file, 0o600)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
