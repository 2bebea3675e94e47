import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useRecords } from '../testing/record-fixture'
import { program, until } from '../testing/run-cli'
import { testToken } from '../testing/test-server'

const at = useRecords()

const PRINTS_ENVIRONMENT = [process.execPath, '-e', 'console.log(JSON.stringify(process.env))']
/** A hook as an agent starts it, with its frame; its standard error goes on to that of the agent. */
const runsHook = (): string[] => [
  'sh',
  '-c',
  `echo "$FRAME" | "${process.execPath}" "${program}" hook; cat > /dev/null`,
]
const FRAME = { session_id: 's1', hook_event_name: 'Stop' }

test('a recorded command finds nothing in its environment that opens the server, and all else', async () => {
  const secrets = {
    INQUEST_SECRET: 'signs-the-sessions-of-the-server',
    INQUEST_METRICS_TOKEN: 'opens-the-metrics',
    INQUEST_SOURCE_CREDENTIAL: 'Bearer opens-a-source',
    INQUEST_SOURCE_DATABASE: 'postgres://reader:opens-its-tables@db.example/noetl',
  }
  const own = { DATABASE_URL: 'postgres://shop@localhost/shop', ANYTHING: 'else', INQUEST_ATTEMPT: '2' }
  const run = await at.record([], PRINTS_ENVIRONMENT, { ...secrets, ...own })
  expect(run.status).toBe(0)
  const seen: Record<string, string> = JSON.parse(run.out.toString())
  expect(seen).toMatchObject({ ...own, INQUEST_URL: at.server.url, PATH: process.env.PATH })
  for (const secret of [testToken, ...Object.values(secrets)])
    expect(run.out.toString()).not.toContain(secret)
  // The recorder itself had the key: its record has arrived.
  expect(at.document().at(-1)).toMatchObject({ type: 'record.end', exitCode: 0 })
})

test('the hook of a recorded agent, which has no key, is quiet, and its frame arrives while the agent runs', async () => {
  const running = at.start([], runsHook(), { FRAME: JSON.stringify(FRAME) })
  await until(() => at.server.frames.size === 1, 30_000, 'the frame, while the agent waits for its input')
  expect([...at.server.frames].map((line) => JSON.parse(line))).toMatchObject([FRAME])
  expect(running.child.exitCode).toBeNull()
  running.child.stdin.end()
  const run = await running.done
  expect([run.status, run.err]).toEqual([0, expect.stringMatching(/^inquest: recorded: http:\S+\n$/)])
  expect(readdirSync(at.spool()).filter((name) => name.endsWith('.frame'))).toEqual([])
})

test('a frame of the last moment is sent with the record', async () => {
  const run = await at.record([], ['sh', '-c', `echo "$FRAME" | "${process.execPath}" "${program}" hook`], {
    FRAME: JSON.stringify(FRAME),
  })
  expect([run.status, run.err]).toEqual([0, expect.stringMatching(/^inquest: recorded: http:\S+\n$/)])
  expect(at.server.frames.size).toBe(1)
})

test('what a recorded agent records in turn is sent by the recorder around it', async () => {
  const run = await at.record([], [process.execPath, program, 'record', '--', 'echo', 'inner'])
  expect(run.status).toBe(0)
  expect(at.document().filter(({ type }) => type === 'record.end')).toHaveLength(2)
  expect(readdirSync(join(at.spool(), 'records'))).toEqual([])
})
