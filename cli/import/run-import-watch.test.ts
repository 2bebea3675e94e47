import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { env, folder, importJson, kept, posts, server, session, setUpImport } from '../testing/set-up-import'
import { startCli, transcript, until } from '../testing/run-cli'

setUpImport()

describe('--watch', () => {
  const watching = async (): Promise<ReturnType<typeof startCli>> => {
    const running = startCli(['import', '--watch', join(folder.path, 'in')], env())
    await until(() => running.written().out.includes('Watching'), 20_000, 'following')
    return running
  }
  const lineOf = (n: number): string => `${transcript(session(1), n).split('\n').at(-2)!}\n`

  test('whole lines arrive; a torn one waits until it is whole', async () => {
    const path = folder.put('in/1.jsonl', transcript(session(1), 2))
    const running = await watching()
    appendFileSync(path, lineOf(3) + lineOf(4).slice(0, 10))
    await until(() => kept()[0] === transcript(session(1), 2) + lineOf(3), 10_000, 'the third line')
    appendFileSync(path, lineOf(4).slice(10))
    await until(() => kept()[0] === readFileSync(path, 'utf8'), 10_000, 'the fourth line')
    running.stop()
    expect((await running.done).code).toBe(0)
    expect(
      posts()
        .map((request) => request.body.length)
        .reduce((a, b) => a + b),
    ).toBe(readFileSync(path).length)
  })

  test('new files and new folders are taken, and said', async () => {
    folder.put('in/1.jsonl', transcript(session(1), 2))
    const running = await watching()
    folder.put('in/new/deep/2.jsonl', transcript(session(2), 3))
    await until(() => kept().includes(transcript(session(2), 3)), 10_000, 'the new file')
    await until(
      () => running.written().out.includes('new/deep/2.jsonl: 3 records'),
      10_000,
      'the word about it',
    )
    running.stop()
    await running.done
  })

  test('a file that begins with half a line is known by the whole one', async () => {
    folder.put('in/1.jsonl', transcript(session(1), 2))
    const running = await watching()
    const text = transcript(session(2), 3)
    const path = folder.put('in/2.jsonl', text.slice(0, 40))
    await new Promise((resolve) => setTimeout(resolve, 300))
    appendFileSync(path, text.slice(40))
    await until(() => kept().includes(text), 10_000, 'the file')
    running.stop()
    await running.done
    const again = await importJson(join(folder.path, 'in'))
    expect(again.summary).toMatchObject({ files: { known: 2, sent: 0 } })
  })

  test('truncated and rewritten files are sent again, and the output says so', async () => {
    const path = folder.put('in/1.jsonl', transcript(session(1), 6))
    const running = await watching()
    const other = transcript(session(9), 2)
    writeFileSync(path, other)
    // Sooner than folders are searched anyway: the system reported the change.
    await until(() => kept().includes(other), 8_000, 'the other content')
    await until(() => running.written().out.includes('sent again'), 10_000, 'the word about it')
    running.stop()
    expect((await running.done).code).toBe(0)
  })

  test('a server that goes away is waited for, and nothing is lost or doubled', async () => {
    const path = folder.put('in/1.jsonl', transcript(session(1), 2))
    const running = await watching()
    await server.stop()
    appendFileSync(path, lineOf(3))
    await until(() => running.written().err.includes('is unreachable'), 10_000, 'away')
    appendFileSync(path, lineOf(4))
    await server.restart()
    await until(() => kept()[0] === readFileSync(path, 'utf8'), 20_000, 'both lines')
    running.stop()
    expect((await running.done).code).toBe(0)
  })

  test('a file that vanishes does not end it', async () => {
    const path = folder.put('in/1.jsonl', transcript(session(1), 2))
    const running = await watching()
    rmSync(path)
    folder.put('in/2.jsonl', transcript(session(2), 1))
    await until(() => kept().length === 2, 10_000, 'the other file')
    running.stop()
    expect((await running.done).code).toBe(0)
  })
})
