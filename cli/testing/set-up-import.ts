import { afterEach, beforeEach } from 'vitest'
import { makeFolder, runCli, serverEnv } from './run-cli'
import { startTestServer } from './test-server'
import type { TestServer } from './test-server'

/** Those of the test that runs. */
export let server: TestServer
export let folder: ReturnType<typeof makeFolder>

/** A server and a folder of its own for each test of the file that calls this. */
export function setUpImport(): void {
  beforeEach(async () => {
    server = await startTestServer()
    folder = makeFolder()
  })
  afterEach(async () => {
    await server.stop()
    folder.remove()
  })
}

export const session = (n: number): string => `11111111-0000-4000-8000-${String(n).padStart(12, '0')}`
export const env = (): ReturnType<typeof serverEnv> => serverEnv(server.url, folder.path)
export const importJson = async (
  ...args: string[]
): Promise<{
  code: number
  files: Record<
    string,
    { status: string; because?: string; bytes: number; resumed?: boolean; rewritten?: boolean }
  >
  summary: Record<string, number>
}> => {
  const run = await runCli(['import', '--json', ...args], env())
  const documents = run.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return {
    code: run.code,
    files: Object.fromEntries(
      documents.filter((one) => one.file).map(({ file }) => [file.name.split('/').at(-1), file]),
    ),
    summary: documents.at(-1).summary,
  }
}
export const posts = (): typeof server.requests =>
  server.requests.filter((request) => request.method === 'POST')
export const kept = (): string[] =>
  [...server.streams.values()].map((stream) => stream.bytes.toString()).sort()
