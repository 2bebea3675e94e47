import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { env, folder, importJson, kept, posts, server, session, setUpImport } from '../testing/set-up-import'
import { runCli, startCli, transcript } from '../testing/run-cli'

setUpImport()

describe('what is taken', () => {
  test('every byte arrives, with the name below the import root and the source, and the summary counts it', async () => {
    const one = transcript(session(1), 4)
    const two = transcript(session(2), 3, 'FAILED')
    folder.put('in/päth/1.jsonl', one)
    folder.put('in/2.jsonl', two)
    const { code, summary } = await importJson(join(folder.path, 'in'), '--source', 'büro 7')
    expect(code).toBe(0)
    expect(kept()).toEqual([one, two].sort())
    expect(summary).toMatchObject({
      files: { sent: 2, known: 0, left: 0, notTaken: 0 },
      records: 7,
      executions: 2,
      failures: 1,
      bytes: one.length + two.length,
    })
    const names = posts().map((request) => decodeURIComponent(String(request.headers['inquest-file'])))
    expect(names.sort()).toEqual(['2.jsonl', 'päth/1.jsonl'])
    expect(
      new Set(posts().map((request) => decodeURIComponent(String(request.headers['inquest-source'])))),
    ).toEqual(new Set(['büro 7']))
  })

  test('the link leads to what failed of this source, or to all of it', async () => {
    const linkOf = async (...args: string[]): Promise<[string, Record<string, string>]> => {
      const { dashboard } = (await importJson(folder.path, ...args)).summary
      const url = new URL(String(dashboard))
      return [url.pathname, Object.fromEntries(url.searchParams)]
    }
    folder.put('1.jsonl', transcript(session(1), 1))
    expect(await linkOf('--source', 'büro 7')).toEqual(['/executions', { q: 'source:"büro 7"' }])
    for (const n of [2, 3]) folder.put(`${n}.jsonl`, transcript(session(n), 3, 'FAILED'))
    expect(await linkOf('--source', 'büro 7', '--project', 'shop')).toEqual([
      '/executions',
      { q: 'outcome:failed outcome:retriable source:"büro 7"', project: 'shop' },
    ])
  })

  test('control characters in the name of a file are sent as their pictures', async () => {
    folder.put('in/a\tb\u001b[31m\u009b.jsonl', transcript(session(1), 1))
    await importJson(join(folder.path, 'in'))
    expect(posts().map((request) => decodeURIComponent(String(request.headers['inquest-file'])))).toEqual([
      'a␉b␛[31m\ufffd.jsonl',
    ])
  })

  test('a large file goes in parts of whole lines, each but the last with more to come', async () => {
    const text = Array.from({ length: 9 }, (_, n) =>
      transcript(session(3), 1, 'x'.repeat(300 * 1024)).replace('step', `${n}`),
    ).join('')
    folder.put('big.jsonl', text)
    expect((await importJson(folder.path)).code).toBe(0)
    expect(kept()).toEqual([text])
    expect(posts().map((request) => request.headers['inquest-more'])).toEqual(['1', '1', undefined])
    expect(posts().every((request) => request.body.at(-1) === 0x0a)).toBe(true)
    expect(new Set(posts().map((request) => request.headers['idempotency-key'])).size).toBe(3)
  })

  test('a folder without a file is told, instead of counting what there is not', async () => {
    expect((await runCli(['import', folder.path], env())).out).toBe('No files found. Nothing was sent.\n')
  })

  test('goes to the project that is named', async () => {
    folder.put('1.jsonl', transcript(session(1), 2))
    await importJson(folder.path, '--project', 'my project')
    expect(server.requests.map((request) => request.path.replace(/^[^?]*/, ''))).toEqual(
      Array(3).fill('?project=my%20project'),
    )
  })

  test('a torn last line is sent as it is', async () => {
    const text = transcript(session(4), 3).slice(0, -20)
    folder.put('torn.jsonl', text)
    expect((await importJson(folder.path)).summary).toMatchObject({ records: 3 })
    expect(kept()).toEqual([text])
  })

  test('a document over several lines stays whole', async () => {
    const text = JSON.stringify(
      [
        { type: 'system', subtype: 'init', session_id: session(5) },
        { type: 'result', subtype: 'success', session_id: session(5), is_error: false },
      ],
      null,
      2,
    )
    folder.put('run.json', text)
    expect((await importJson(folder.path)).code).toBe(0)
    expect(posts().map((request) => [request.path, request.body.toString()])).toEqual([
      ['/api/v1/ingest/claude-stream', text],
    ])
  })

  test('a line of 60 MB arrives whole', async () => {
    const first = transcript(session(6), 2)
    const long = transcript(session(6), 1, 'y'.repeat(60 * 1024 * 1024))
    folder.put('long.jsonl', first + long + transcript(session(6), 1))
    expect((await importJson(folder.path)).code).toBe(0)
    expect(posts().map((request) => request.body.length)).toContain(long.length)
    expect([...server.streams.values()][0]!.bytes.length).toBe(
      readFileSync(join(folder.path, 'long.jsonl')).length,
    )
  })
})

describe('again', () => {
  test('a second import sends nothing', async () => {
    folder.put('1.jsonl', transcript(session(1), 5))
    await importJson(folder.path)
    const before = posts().length
    const { code, summary } = await importJson(folder.path)
    expect([code, posts().length - before]).toEqual([0, 0])
    expect(summary).toMatchObject({ files: { sent: 0, known: 1 }, records: 0 })
  })

  test('of a file that grew only the new end is sent, also after a torn line', async () => {
    const text = transcript(session(1), 5)
    const path = folder.put('1.jsonl', text.slice(0, text.length - 30))
    await importJson(folder.path)
    writeFileSync(path, text + transcript(session(1), 1, 'more'))
    const before = posts().length
    const { files, summary } = await importJson(folder.path)
    expect(files['1.jsonl']).toMatchObject({ status: 'sent', resumed: true })
    expect(
      posts()
        .slice(before)
        .map((request) => request.headers['inquest-offset']),
    ).toEqual([String(text.lastIndexOf('\n', text.length - 31) + 1)])
    expect(summary.records).toBe(1)
    expect(kept()).toEqual([readFileSync(path, 'utf8')])
  })

  test('a file that was moved is known by what it says', async () => {
    folder.put('a/1.jsonl', transcript(session(1), 5))
    await importJson(join(folder.path, 'a'))
    renameSync(join(folder.path, 'a'), join(folder.path, 'b'))
    expect((await importJson(join(folder.path, 'b'))).summary).toMatchObject({ files: { known: 1, sent: 0 } })
  })

  test('a file whose middle was rewritten is sent whole', async () => {
    const text = transcript(session(1), 5)
    const path = folder.put('1.jsonl', text)
    await importJson(folder.path)
    const rewritten = text.replace('step 2', 'STEP 2')
    writeFileSync(path, rewritten)
    const { files } = await importJson(folder.path)
    expect(files['1.jsonl']).toMatchObject({ status: 'sent', rewritten: true, bytes: rewritten.length })
    expect(kept()).toEqual([rewritten])
  })

  test('when the server knows the stream by another name, what it has of that is not sent', async () => {
    const text = Array.from({ length: 4 }, () => transcript(session(1), 1, 'v'.repeat(4 * 1024 * 1024))).join(
      '',
    )
    folder.put('1.jsonl', text)
    const length = text.length / 4
    server.intercept = (request) => {
      if (request.method === 'POST' && posts().length === 1) {
        server.streams.set('other', {
          bytes: Buffer.from(text.slice(0, 3 * length)),
          parts: [
            {
              offset: 0,
              length: 3 * length,
              sha256: createHash('sha256')
                .update(text.slice(0, 3 * length))
                .digest('hex'),
            },
          ],
        })
        request.headers['inquest-stream'] = 'other'
      }
      return false
    }
    const { files } = await importJson(folder.path)
    expect(
      posts().map((request) => [request.headers['inquest-stream'], request.headers['inquest-offset']]),
    ).toEqual([
      ['other', '0'],
      ['other', String(3 * length)],
    ])
    expect([files['1.jsonl']!.bytes, kept()]).toEqual([2 * length, [text]])
  })

  test('two imports at once leave nothing doubled', async () => {
    for (let n = 0; n < 6; n += 1) folder.put(`${n}.jsonl`, transcript(session(n), 20))
    const runs = await Promise.all([importJson(folder.path), importJson(folder.path)])
    expect(runs.map((run) => run.code)).toEqual([0, 0])
    expect(runs[0]!.summary.records! + runs[1]!.summary.records!).toBe(120)
    expect(kept().length).toBe(6)
  })

  test('a dry run sends nothing and asks no server', async () => {
    folder.put('1.jsonl', transcript(session(1), 5))
    const run = await runCli(['import', folder.path, '--dry-run'], { HOME: folder.path })
    expect(run.code).toBe(0)
    expect(run.out).toMatch(/would send: .*1\.jsonl \(claude-transcript/)
    expect(server.requests).toEqual([])
  })
})

describe('what is not taken is named with its reason', () => {
  test('an empty list is a file without records, and no failure', async () => {
    const file = folder.put('claude-execution-output.json', '[]')
    const run = await runCli(['import', file, '--json'], env())
    expect([run.code, server.streams.size]).toEqual([0, 0])
    expect(JSON.parse(run.out.split('\n')[0]!).file).toMatchObject({
      status: 'left',
      because: 'an empty list, without records',
    })
  })

  test('binary, empty, compressed, unknown and unsupported files, and the rest goes on', async () => {
    folder.put('fine.jsonl', transcript(session(1), 2))
    folder.put('empty.jsonl', '')
    folder.put(
      'noise.bin',
      Uint8Array.from({ length: 5000 }, (_, n) => (n * 7) % 32),
    )
    folder.put('bomb.jsonl', gzipSync(Buffer.alloc(30_000_000)))
    folder.put('notes.md', '# notes\n')
    folder.put('codex.jsonl', '{"type":"session_meta","payload":{"id":"x"}}\n')
    const { code, files, summary } = await importJson(folder.path)
    expect(code).toBe(1)
    expect(summary).toMatchObject({ files: { sent: 1, known: 0, left: 3, notTaken: 2 } })
    expect(Object.fromEntries(Object.entries(files).map(([name, file]) => [name, file.status]))).toEqual({
      'fine.jsonl': 'sent',
      'empty.jsonl': 'left',
      'noise.bin': 'left',
      'bomb.jsonl': 'not-taken',
      'notes.md': 'left',
      'codex.jsonl': 'not-taken',
    })
    expect(files['empty.jsonl']!.because).toMatch(/empty/)
    expect(files['noise.bin']!.because).toMatch(/not text/)
    expect(files['bomb.jsonl']!.because).toMatch(/gzip/)
    expect(files['codex.jsonl']!.because).toMatch(/Codex.*not|not.*Codex/)
    expect(posts().length).toBe(1)
  })

  test('what the status 1 comes from is told in one plain line', async () => {
    folder.put('fine.jsonl', transcript(session(1), 2))
    const lastLine = async (): Promise<[number, string]> => {
      const { code, out } = await runCli(['import', folder.path], env())
      return [code, out.trim().split('\n').at(-1)!]
    }
    expect(await lastLine()).toEqual([0, expect.stringContaining('/executions?q=source')])
    folder.put('codex.jsonl', '{"type":"session_meta","payload":{"id":"x"}}\n')
    const tail = 'The reason is next to each file above. Everything else was imported.'
    const unsupported = '1 file in a format not supported yet'
    expect(await lastLine()).toEqual([1, `Exit status 1: ${unsupported} could not be imported. ${tail}`])
    folder.put('else.jsonl', '{"nobody":"knows"}\n')
    expect(await lastLine()).toEqual([
      1,
      `Exit status 1: 2 files could not be imported, including ${unsupported}. ${tail}`,
    ])
    expect((await importJson(folder.path)).summary.files).toMatchObject({ notTaken: 2, unsupported: 1 })
  })

  test('what was kept and not understood is named with its reasons, and the link leads to where it is listed', async () => {
    folder.put('torn.jsonl', transcript(session(1), 2))
    const odd = [1, 2, 3].map((line) => ({
      line,
      byteStart: line * 10,
      reason: line === 3 ? 'no_session' : 'not_json',
      detail: '',
    }))
    server.intercept = (request, response) => {
      if (!request.body.includes(session(1))) return false
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          accepted: 0,
          duplicates: 0,
          odd,
          oddTotal: 1_005,
          executions: [],
          streamId: 's',
          nextOffset: request.body.length,
          originalSha256: createHash('sha256').update(request.body).digest('hex'),
        }),
      )
      return true
    }
    const { code, out } = await runCli(['import', folder.path], env())
    expect(code).toBe(0)
    expect(out).toContain(
      'kept, not understood: torn.jsonl: line 1: not JSON, line 2: not JSON, line 3: names no session, 1,002 more records\n',
    )
    expect(out).toContain(`0 executions, 0 failed: ${server.url}/settings/sources\n`)
  })

  test('where nothing was taken no link is offered', async () => {
    const path = folder.put('codex.jsonl', '{"type":"session_meta","payload":{"id":"x"}}\n')
    const { out } = await runCli(['import', path], env())
    expect(out).toContain('0 files sent (0 B), 1 not taken.\n')
    expect(out).not.toContain('://')
  })

  test('a file that was named and is not recognised makes the status 1', async () => {
    expect((await importJson(folder.put('notes.md', '# notes\n'))).code).toBe(1)
    expect((await importJson(join(folder.path, 'missing'))).code).toBe(1)
  })

  test("NUL, lone surrogates and invalid UTF-8 inside lines are the server's to judge: every byte arrives", async () => {
    const bytes = Buffer.concat([
      Buffer.from(transcript(session(1), 2)),
      Buffer.from('{"a":"\\ud800"}\n'),
      Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from(transcript(session(1), 1)),
    ])
    folder.put('odd.jsonl', bytes)
    expect((await importJson(folder.path)).code).toBe(0)
    expect([...server.streams.values()][0]!.bytes.equals(bytes)).toBe(true)
  })

  test('a file that the server refuses is named with the problem, and the others go on', async () => {
    folder.put('1.jsonl', transcript(session(1), 2, 'refuse me'))
    folder.put('2.jsonl', transcript(session(2), 2))
    server.intercept = (request, response) => {
      if (!request.body.includes('refuse me')) return false
      response.writeHead(422, { 'content-type': 'application/problem+json' }).end(
        JSON.stringify({
          type: '/problems/cannot-store',
          title: 'Input could not be stored',
          detail: 'a NUL',
          status: 422,
          line: 2,
        }),
      )
      return true
    }
    const { code, files } = await importJson(folder.path)
    expect(code).toBe(1)
    expect(files['1.jsonl']).toMatchObject({
      status: 'not-taken',
      because: 'Input could not be stored: a NUL (line 2)',
    })
    expect(files['2.jsonl']!.status).toBe('sent')
  })

  test('a file that shrinks while it is read is looked at once more, and what is there now is sent', async () => {
    const text = transcript(session(1), 1, 'z'.repeat(5 * 1024 * 1024))
    const path = folder.put('1.jsonl', text + text)
    server.intercept = (request) => {
      if (request.method === 'POST') writeFileSync(path, text.slice(0, 100))
      return false
    }
    const { code, files } = await importJson(folder.path)
    expect([code, files['1.jsonl']!.status, files['1.jsonl']!.bytes]).toEqual([0, 'sent', 100])
    expect(posts().at(-1)!.body.toString()).toBe(text.slice(0, 100))
  })

  test('a file that vanishes in the middle of the import is told', async () => {
    // More than are sent at once, so that the last one is found and not yet opened.
    for (let n = 10; n < 40; n += 1) folder.put(`${n}.jsonl`, transcript(session(n), 2))
    server.intercept = (request) => {
      if (request.method === 'POST') rmSync(join(folder.path, '39.jsonl'), { force: true })
      return false
    }
    const { code, files } = await importJson(folder.path)
    expect([code, files['39.jsonl']!.status, files['39.jsonl']!.because]).toEqual([
      1,
      'not-taken',
      'file not found',
    ])
    expect(kept().length).toBe(29)
  })
})

describe('a server in trouble', () => {
  test('503 and cut connections are tried again with the same key, and nothing is doubled', async () => {
    folder.put('1.jsonl', transcript(session(1), 6))
    let troubles = 0
    server.intercept = (request, response) => {
      if (request.method !== 'POST' || (troubles += 1) > 3) return false
      if (troubles === 2) response.destroy()
      else response.writeHead(503).end('{}')
      return true
    }
    const { code, summary } = await importJson(folder.path)
    expect([code, summary.records, posts().length]).toEqual([0, 6, 4])
    expect(new Set(posts().map((request) => request.headers['idempotency-key'])).size).toBe(1)
    expect(kept()).toEqual([transcript(session(1), 6)])
  })

  test('a body that the server is still at work on is sent again until it is done', async () => {
    folder.put('1.jsonl', transcript(session(1), 6))
    let refusals = 0
    server.intercept = (request, response) => {
      if (request.method !== 'POST' || (refusals += 1) > 2) return false
      response
        .writeHead(409, { 'content-type': 'application/problem+json', 'retry-after': '1' })
        .end('{"type":"/problems/in-use","title":"Already in use","status":409}')
      return true
    }
    const { code, summary } = await importJson(folder.path)
    expect([code, summary.records, posts().length]).toEqual([0, 6, 3])
    expect(kept()).toEqual([transcript(session(1), 6)])
  })

  test('stopped and started again in the middle: the import waits, ends well, and says both', async () => {
    for (let n = 0; n < 4; n += 1) folder.put(`${n}.jsonl`, transcript(session(n), 3))
    let seen = 0
    server.intercept = (request, response) => {
      if (request.method !== 'POST' || (seen += 1) !== 2) return false
      response.destroy()
      void server.stop().then(() => setTimeout(() => void server.restart(), 300))
      return true
    }
    const run = await runCli(['import', folder.path], env())
    expect([run.code, run.err]).toEqual([0, expect.stringMatching(/is unreachable[\s\S]*is back/)])
    expect(kept()).toEqual([0, 1, 2, 3].map((n) => transcript(session(n), 3)).sort())
  })

  test('a full disk is named as what it is, and once, although reading works', async () => {
    for (let n = 0; n < 6; n += 1) folder.put(`${n}.jsonl`, transcript(session(n), 3))
    let seen = 0
    server.intercept = (request, response) => {
      if (request.method !== 'POST' || (seen += 1) < 2 || seen > 12) return false
      response
        .writeHead(503, { 'content-type': 'application/problem+json' })
        .end(
          '{"type":"/problems/store-full","title":"Disk full","detail":"Nothing from this request was stored.","status":503}',
        )
      return true
    }
    const run = await runCli(['import', folder.path], env())
    expect([run.code, run.err]).toEqual([
      0,
      'The server cannot accept data right now (Disk full: Nothing from this request was stored); retrying.\nThe server accepts data again.\n',
    ])
    server.intercept = ({ method }, response) => {
      if (method !== 'POST') return false
      response
        .writeHead(503, { 'content-type': 'application/problem+json' })
        .end('{"type":"/problems/store-full","title":"Disk full","status":503}')
      return true
    }
    folder.put('new.jsonl', transcript(session(9), 3))
    const full = await runCli(['import', '--patience', '1', folder.path], env())
    expect([full.code, full.err]).toEqual([
      3,
      expect.stringMatching(/^inquest: http:\S+ cannot take data: Disk full\.$/m),
    ])
    expect(full.err).not.toContain('did not answer')
  })

  test('a local server that was killed and started again has another key: it is found, and the import ends well', async () => {
    for (let n = 0; n < 4; n += 1) folder.put(`in/${n}.jsonl`, transcript(session(n), 3))
    const state = (): string =>
      folder.put('state/server.json', JSON.stringify({ url: server.url, token: server.token }))
    chmodSync(state(), 0o600)
    let seen = 0
    server.intercept = (request, response) => {
      if (request.method !== 'POST' || (seen += 1) !== 2) return false
      response.destroy()
      void server.stop().then(() => {
        server.token = 'another-key'
        void server.restart()
        setTimeout(state, 300)
      })
      return true
    }
    const run = await runCli(['import', join(folder.path, 'in')], {
      HOME: folder.path,
      INQUEST_STATE: join(folder.path, 'state'),
    })
    expect([run.code, kept()]).toEqual([0, [0, 1, 2, 3].map((n) => transcript(session(n), 3)).sort()])
  })

  test('not there at all: status 3 before any file is read; a wrong key: status 4, and no key in any text', async () => {
    folder.put('1.jsonl', transcript(session(1), 2))
    const wrong = await runCli(['import', folder.path], { ...env(), INQUEST_TOKEN: 'wrong-key-77' })
    expect([wrong.code, wrong.err]).toEqual([4, expect.stringContaining('Authentication required')])
    await server.stop()
    const away = await runCli(['import', folder.path], env())
    expect([away.code, away.err]).toEqual([3, expect.stringMatching(/did not answer: connection refused/)])
    expect(wrong.err + wrong.out + away.err + away.out).not.toMatch(/wrong-key-77|test-token/)
    await server.restart()
  })

  test('Ctrl-C ends with status 130, and the next import completes without doubling', async () => {
    const text = Array.from({ length: 3 }, () => transcript(session(1), 1, 'w'.repeat(4 * 1024 * 1024))).join(
      '',
    )
    folder.put('1.jsonl', text)
    server.intercept = (request) => {
      if (request.method === 'POST') running.stop()
      return false
    }
    const running = startCli(['import', folder.path], env())
    const stopped = await running.done
    expect([stopped.code, stopped.err]).toEqual([130, expect.stringContaining('continue where it stopped')])
    server.intercept = () => false
    expect((await importJson(folder.path)).code).toBe(0)
    expect(kept()).toEqual([text])
  })
})

test('nothing is left in the folders that are read', async () => {
  folder.put('in/1.jsonl', transcript(session(1), 2))
  await importJson(join(folder.path, 'in'))
  expect(readdirSync(join(folder.path, 'in'))).toEqual(['1.jsonl'])
})

const samples = resolve(import.meta.dirname, '../../../shared/samples/claude-code')
describe.runIf(existsSync(samples))('the sample folder', () => {
  test('all transcripts and streams are taken whole; files of other agents are recognised, each by name', async () => {
    const { code, files, summary } = await importJson(samples)
    const other = Object.entries(files).filter(([, file]) => file.status === 'not-taken')
    expect(code).toBe(1)
    expect(other.map(([name]) => name).sort()).toEqual(readdirSync(join(samples, 'other-agents')).sort())
    for (const [, file] of other) expect(file.because).toMatch(/^format not supported yet: /)
    expect(
      Object.entries(files)
        .filter(([, file]) => file.status === 'left')
        .map(([name]) => name),
    ).toEqual(['README.md'])
    expect(summary.records).toBeGreaterThanOrEqual(4400)
    const again = await importJson(samples)
    expect(again.summary).toMatchObject({ files: { sent: 0 } })
  })
})
