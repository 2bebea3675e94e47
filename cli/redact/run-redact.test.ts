import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, runCli } from '../testing/run-cli'

let folder: ReturnType<typeof makeFolder>
beforeEach(() => void (folder = makeFolder()))
afterEach(() => folder.remove())

const secret = `ghp_${'a1B2'.repeat(9)}`
const says = (text: string): string =>
  JSON.stringify(
    [
      { type: 'system', subtype: 'init', session_id: 's' },
      {
        type: 'assistant',
        session_id: 's',
        message: { id: 'm', role: 'assistant', content: [{ type: 'text', text }] },
      },
      { type: 'result', subtype: 'success', is_error: false, session_id: 's', result: text },
    ],
    null,
    2,
  )
const redact = (...args: string[]) => runCli(['redact', ...args], { HOME: folder.path })

test('the copy is the file without its secrets, and still the same document', async () => {
  const file = folder.put('in.json', says(`the token is ${secret}`))
  const copy = join(folder.path, 'kept/out.json')
  const run = await redact(file, '--output', copy)
  expect([run.code, run.out]).toEqual([0, `${copy}: written, 2 secrets redacted.\n`])
  const text = readFileSync(copy, 'utf8')
  expect([text.includes(secret), readFileSync(file, 'utf8').includes(secret)]).toEqual([false, true])
  expect(JSON.parse(text)).toMatchObject([{ type: 'system' }, {}, { subtype: 'success', session_id: 's' }])
  expect(statSync(copy).mode & 0o777).toBe(0o600)
})

test('of a file without secrets it is the file, byte for byte, of lines too', async () => {
  for (const content of [
    says('nothing'),
    `${JSON.parse(says('a'))
      .map((one: object) => JSON.stringify(one))
      .join('\n')}\n{"type":"resu`,
  ]) {
    const copy = join(folder.path, 'out')
    await redact(folder.put('in.json', content), '--output', copy)
    expect(readFileSync(copy, 'utf8')).toBe(content)
  }
})

test.each([
  ['notes', 'just some notes', 1, 'no reader for its format'],
  ['empty', '', 1, 'is empty'],
])('what cannot be read is not copied: %s', async (name, content, code, says) => {
  const copy = join(folder.path, 'out')
  const run = await redact(folder.put(name, content), '--output', copy)
  expect([run.code, run.err, existsSync(copy)]).toEqual([code, expect.stringContaining(says), false])
})

test('a file that is not there, or a place that cannot be written, is named', async () => {
  const gone = await redact(join(folder.path, 'gone'), '--output', join(folder.path, 'out'))
  expect([gone.code, gone.err]).toEqual([5, expect.stringContaining('could not be read (ENOENT)')])
  const file = folder.put('in.json', says('x'))
  const unwritten = await redact(file, '--output', join(file, 'out'))
  expect([unwritten.code, unwritten.err]).toEqual([5, expect.stringContaining('could not be written')])
})
