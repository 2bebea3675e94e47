import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makePrivateFolder } from './private-folder'

/** Where the local server is, and the key to it: what the command line looks for. */
interface LocalServer {
  url: string
  token: string
  pid: number
}

/** Writes `server.json`, readable by its owner only, whole or not at all. @returns a function that removes it, if it is still ours */
export async function writeStateFile(stateDir: string, server: LocalServer): Promise<() => Promise<void>> {
  const file = path.join(stateDir, 'server.json')
  await makePrivateFolder(stateDir)
  const draft = `${file}.${server.pid}`
  await rm(draft, { force: true })
  await writeFile(draft, `${JSON.stringify(server)}\n`, { mode: 0o600 })
  await rename(draft, file)
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text?.includes(server.token)) await rm(file, { force: true })
  }
}
