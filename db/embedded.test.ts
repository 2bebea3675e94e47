import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freezeDatabase } from '@/e2e/support/server'
import { startEmbedded, type Embedded, type EmbeddedOptions } from './embedded'
import { isAlive } from './embedded/process-stamp'
import { scratchRoot } from './testing/scratch-root'

let base: string
let dir: string
const running: Embedded[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  base = mkdtempSync(path.join(scratchRoot(), 'inquest-embedded-'))
  // As `mktemp` makes it, only its owner may pass through: the server's account must be let through on purpose.
  chmodSync(base, 0o755)
  dir = path.join(base, 'data')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of running.splice(0)) await server.stop()
  const pid = pidOf()
  if (pid !== null && isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(dir))
    process.kill(pid, 'SIGQUIT')
  rmSync(base, { recursive: true, force: true })
})

const start = async (options: Partial<EmbeddedOptions> = {}): Promise<Embedded & { lines: string[] }> => {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const server = await startEmbedded({ dir, log, settings: { fsync: 'off' }, ...options })
  running.push(server)
  return { ...server, lines }
}

async function ask<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 2 })
  }
}

const pidFile = () => path.join(dir, 'pg', 'data', 'postmaster.pid')
const pidOf = (): number | null =>
  existsSync(pidFile()) ? Number(readFileSync(pidFile(), 'utf8').split('\n')[0]) : null
const write = (url: string, text: string) =>
  ask(url, (sql) =>
    sql`create table if not exists notes (t text)`.then(() => sql`insert into notes values (${text})`),
  )
const notes = (url: string) =>
  ask(url, async (sql) => (await sql<{ t: string }[]>`select t from notes order by t`).map((row) => row.t))

/** A process of its own that starts the server and then does nothing: to be killed. */
async function startElsewhere(
  options: { uid?: number; gid?: number; script?: string } = {},
): Promise<{ child: ChildProcess; url: string }> {
  const script = `import { startEmbedded } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded.ts'))}
    const server = await startEmbedded({ dir: process.argv[2], settings: { fsync: 'off' } })
    console.log('URL ' + server.url)
    process.on('SIGINT', () => server.stop().then(() => process.exit(0)))
    setInterval(() => {}, 1000)`
  const file = path.join(base, 'start.mts')
  writeFileSync(file, script)
  const child = spawn(process.execPath, ['--import', 'tsx', file, dir], {
    cwd: path.join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid }),
    env: { ...process.env, HOME: base, TMPDIR: base },
  })
  children.push(child)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const match = /URL (\S+)/.exec(output)
      if (match) resolve(match[1]!)
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${output}`)))
  })
  return { child, url }
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.on('exit', () => resolve()),
  )

describe('the embedded server', () => {
  test('starts, stops, starts again with the same data, and shuts others out', async () => {
    const first = await start()
    expect(first.started).toBe(true)
    await write(first.url, 'kept')
    const [facts] = await ask(
      first.url,
      (sql) => sql`
      select current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets, current_setting('server_encoding') as encoding,
        current_setting('server_version_num')::int / 10000 as version, (select datcollate || ' ' || datlocprovider::text || ' ' || datlocale from pg_database where datname = 'inquest') as locale`,
    )
    expect(facts).toEqual({
      listens: '127.0.0.1',
      sockets: '',
      encoding: 'UTF8',
      version: 18,
      locale: 'C b C.UTF-8',
    })
    expect(statSync(path.join(dir, 'postgres-password')).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(dir, 'pg', 'data')).mode & 0o777).toBe(0o700)
    const wrong = new URL(first.url)
    wrong.password = 'wrong'
    await expect(ask(wrong.href, (sql) => sql`select 1`)).rejects.toMatchObject({ code: '28P01' })
    const pid = pidOf()!
    await first.stop()
    expect(isAlive(pid)).toBe(false)
    const second = await start()
    expect(await notes(second.url)).toEqual(['kept'])
    expect(second.lines.join()).not.toContain('new database cluster')
  })

  test("does not let the person's PG settings or locale steer it", async () => {
    const before = { ...process.env }
    Object.assign(process.env, {
      PGDATA: '/nowhere',
      PGPORT: '1',
      PGHOST: '192.0.2.1',
      LC_ALL: 'xx_XX.UTF-8',
      LANG: 'tr_TR.UTF-8',
      PGOPTIONS: '-c search_path=nowhere',
    })
    try {
      const server = await start()
      expect(await ask(server.url, async (sql) => (await sql`select 1 as one`)[0]!.one)).toBe(1)
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
      Object.assign(process.env, before)
    }
  })

  test('is left in peace by a second start in another process, and by its end', async () => {
    const first = await start()
    await write(first.url, 'one')
    const { child, url } = await startElsewhere()
    expect(new URL(url).port).toBe(new URL(first.url).port)
    child.kill('SIGINT')
    await ended(child)
    expect(await notes(first.url)).toEqual(['one'])
  })

  test('two starts at once end on one server', async () => {
    const [a, b] = await Promise.all([start(), start()])
    expect(a.url).toBe(b.url)
    expect([a.started, b.started].sort()).toEqual([false, true])
  })
})

describe('what a crash leaves behind', () => {
  test('kill -9 of the process that started it: the server is found, used again and stopped in order', async () => {
    const { child, url } = await startElsewhere()
    await write(url, 'before the crash')
    child.kill('SIGKILL')
    await ended(child)
    const pid = pidOf()!
    expect(isAlive(pid)).toBe(true)
    const server = await start()
    expect(server.started).toBe(false)
    expect(pidOf()).toBe(pid)
    expect(await notes(server.url)).toEqual(['before the crash'])
    await server.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test('Ctrl-C, which reaches the whole foreground group: the server goes on until its process stops it', async () => {
    const { child, url } = await startElsewhere()
    await write(url, 'x')
    const pid = pidOf()!
    process.kill(-child.pid!, 'SIGINT')
    await ended(child)
    expect(child.exitCode).toBe(0)
    expect(isAlive(pid)).toBe(false)
    expect(readFileSync(path.join(dir, 'pg', 'server.log'), 'utf8')).toContain('database system is shut down')
  })

  test('kill -9 of the server itself: its lock and its shared memory are no obstacle, and what was committed is there', async () => {
    const first = await start()
    await write(first.url, 'committed')
    process.kill(pidOf()!, 'SIGKILL')
    const second = await start()
    expect(second.started).toBe(true)
    expect(await notes(second.url)).toEqual(['committed'])
  })

  test('a pid file whose number now belongs to another program: that program is left alone', async () => {
    const first = await start()
    await write(first.url, 'x')
    const file = readFileSync(pidFile(), 'utf8')
    await first.stop()
    const stranger = spawn('sleep', ['60'])
    children.push(stranger)
    writeFileSync(pidFile(), file.replace(/^\d+/, String(stranger.pid)))
    const second = await start()
    expect(second.lines.join('\n')).toContain('which is not this server')
    expect(isAlive(stranger.pid!)).toBe(true)
    expect(await notes(second.url)).toEqual(['x'])
  })

  test('a server that hangs is stopped and started anew', async () => {
    const first = await start()
    await write(first.url, 'x')
    const pid = pidOf()!
    process.kill(pid, 'SIGSTOP')
    const second = await start()
    expect(second.started).toBe(true)
    expect(second.lines.join('\n')).toContain('does not answer')
    expect(await notes(second.url)).toEqual(['x'])
    expect(pidOf()).not.toBe(pid)
  }, 180_000)

  test('a server that has ended and still stands in the list of processes is waited for', async () => {
    const first = await start()
    await write(first.url, 'x')
    const file = readFileSync(pidFile(), 'utf8')
    await first.stop()
    // A process of the server's account whose parent never asks how it ended. It ends (at the end of its input) only when its parent
    // has become `sleep`: a shell would still ask.
    const { uid, gid } = statSync(path.join(dir, 'pg', 'data'))
    const script = 'exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 600'
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'], uid, gid })
    children.push(parent)
    const zombie = await new Promise<string>((resolve) =>
      parent.stdout.once('data', (data: Buffer) => resolve(String(data).trim())),
    )
    await expect
      .poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8'), { timeout: 30_000 })
      .toBe('sleep\n')
    parent.stdin.end()
    await expect
      .poll(() => readFileSync(`/proc/${zombie}/stat`, 'utf8'), { timeout: 30_000 })
      .toContain(') Z ')
    writeFileSync(pidFile(), file.replace(/^\d+/, zombie))
    const lines: string[] = []
    const log = (line: string): void => {
      lines.push(line)
      if (line.includes('trying again')) parent.kill('SIGKILL')
    }
    const second = await startEmbedded({ dir, log, settings: { fsync: 'off' } })
    running.push(second)
    expect(lines.join('\n')).toContain('trying again')
    expect(await notes(second.url)).toEqual(['x'])
  })

  test('an initdb that was cut short: begun anew, for nothing was ever in it', async () => {
    mkdirSync(path.join(dir, 'pg', 'data.new', 'base'), { recursive: true })
    writeFileSync(path.join(dir, 'pg', 'data.new', 'PG_VERSION'), '18\n')
    const server = await start()
    await write(server.url, 'x')
    expect(existsSync(path.join(dir, 'pg', 'data.new'))).toBe(false)
  })

  test('a data folder that is no complete cluster: refused and left as it is', async () => {
    mkdirSync(path.join(dir, 'pg', 'data'), { recursive: true })
    writeFileSync(path.join(dir, 'pg', 'data', 'precious'), 'x')
    await expect(start()).rejects.toThrow(/not a complete database cluster/)
    expect(readFileSync(path.join(dir, 'pg', 'data', 'precious'), 'utf8')).toBe('x')
  })

  test('a lock of a start that died: taken over, also when its pid was given to another program', async () => {
    mkdirSync(dir, { recursive: true })
    for (const holder of [
      '',
      'rubbish',
      JSON.stringify({ pid: 4_000_000, started: '1' }),
      JSON.stringify({ pid: process.pid, started: 'long ago' }),
    ]) {
      writeFileSync(path.join(dir, 'start.lock'), holder)
      const server = await start()
      expect(await ask(server.url, async (sql) => (await sql`select 1 as one`)[0]!.one)).toBe(1)
    }
  })
})

describe('a server that is looked after', () => {
  /** Resolves with what it says when it gives up. */
  const givesUp = () => {
    let onGiveUp: (error: Error) => void = () => undefined
    const said = new Promise<string>((resolve) => (onGiveUp = (error) => resolve(error.message)))
    return { onGiveUp, said }
  }
  const never = (error: Error): never => {
    throw error
  }
  const comesBack = (url: string, want: string[]) =>
    expect.poll(() => notes(url).catch((error: Error) => error.message), { timeout: 40_000 }).toEqual(want)

  test("is started again at the same address each time it is killed, also when it is nobody's child", async () => {
    const { child, url } = await startElsewhere()
    await write(url, 'kept')
    child.kill('SIGKILL')
    await ended(child)
    const server = await start({ onGiveUp: never })
    expect([server.url, server.started]).toEqual([url, false])
    const heard = (words: string) => server.lines.filter((line) => line.includes(words)).length
    for (const [n, signal] of (['SIGKILL', 'SIGQUIT'] as const).entries()) {
      const pid = pidOf()!
      process.kill(pid, signal)
      await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
      await comesBack(url, ['kept'])
      // It answers a moment before its start has ended.
      await expect.poll(() => heard('is running again'), { timeout: 20_000 }).toBe(n + 1)
    }
    expect(heard('ended unexpectedly')).toBe(2)
    const last = pidOf()!
    await server.stop()
    expect(isAlive(last)).toBe(false)
  })

  test('that cannot start any more is given up after some attempts, in one sentence', async () => {
    const { onGiveUp, said } = givesUp()
    await start({ onGiveUp, delaysMs: [0, 50, 50] })
    const control = path.join(dir, 'pg', 'data', 'global', 'pg_control')
    renameSync(control, `${control}.away`)
    process.kill(pidOf()!, 'SIGKILL')
    const sentence = await said
    expect(sentence).toMatch(/^The database server could not start \(exit \d\): .*pg_control/)
    expect(sentence).not.toContain('\n')
  })

  test('is stopped in time while it is frozen, and while it is being started again', async () => {
    const frozen = await start({ onGiveUp: never })
    await write(frozen.url, 'x')
    const pid = pidOf()!
    await freezeDatabase(dir)
    let began = Date.now()
    await frozen.stop(3_000)
    expect(Date.now() - began).toBeLessThan(5_000)
    expect(isAlive(pid)).toBe(false)

    const waiting = await start({ onGiveUp: never, delaysMs: [60_000] })
    process.kill(pidOf()!, 'SIGKILL')
    await expect.poll(() => waiting.lines.join(), { timeout: 20_000 }).toContain('ended unexpectedly')
    began = Date.now()
    await waiting.stop(3_000)
    expect(Date.now() - began).toBeLessThan(5_000)
  })
})

const asRoot = process.getuid?.() === 0
const nobody = asRoot ? Number(spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).stdout) : NaN

describe.runIf(asRoot)('accounts', () => {
  test('as root the server runs as an account that is not root, and its files belong to it', async () => {
    await start()
    const uid = statSync(path.join(dir, 'pg', 'data')).uid
    expect(uid).not.toBe(0)
    expect(readFileSync(`/proc/${pidOf()}/status`, 'utf8')).toMatch(
      new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}$`, 'm'),
    )
    expect(statSync(path.join(dir, 'postgres-password')).uid).toBe(0)
  })

  test('as an ordinary user it runs as that user; root goes on with the files of that user', async () => {
    mkdirSync(dir)
    chmodSync(base, 0o777)
    spawnSync('chown', [String(nobody), dir])
    const { child, url } = await startElsewhere({ uid: nobody, gid: nobody })
    await write(url, 'of nobody')
    expect(statSync(path.join(dir, 'pg', 'data')).uid).toBe(nobody)
    child.kill('SIGINT')
    await ended(child)
    const server = await start()
    expect(await notes(server.url)).toEqual(['of nobody'])
    expect(readFileSync(`/proc/${pidOf()}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\t${nobody}\\t`, 'm'))
  })

  test('an ordinary user is told when the files belong to someone else', async () => {
    const server = await start()
    await server.stop()
    chmodSync(base, 0o777)
    spawnSync('chmod', ['-R', 'go+rX', dir])
    await expect(startElsewhere({ uid: nobody, gid: nobody })).rejects.toThrow(
      /belong to a different account|EACCES|permission denied/,
    )
  })

  test('below a folder that is closed to others the files live where the server can reach them', async () => {
    chmodSync(base, 0o700)
    const server = await start()
    await write(server.url, 'x')
    const line = server.lines.find((text) => text.includes('is not accessible'))!
    const apart = /are in (\S+)$/.exec(line)![1]!
    try {
      expect(existsSync(path.join(apart, 'data', 'PG_VERSION'))).toBe(true)
      expect(statSync(base).mode & 0o777).toBe(0o700)
      await server.stop()
      expect(await notes((await start()).url)).toEqual(['x'])
    } finally {
      for (const one of running.splice(0)) await one.stop()
      rmSync(apart, { recursive: true, force: true })
    }
  })

  test('on a full disk it says so in one sentence', async () => {
    mkdirSync(dir)
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=100m,mode=755', 'tmpfs', dir]).status).toBe(0)
    try {
      await (await start()).stop()
      spawnSync('dd', ['if=/dev/zero', `of=${path.join(dir, 'filler')}`, 'bs=64k'])
      await expect(start()).rejects.toThrow(
        /^The database server could not start because the disk that holds \S+ is full; free space on it and start again$/,
      )
    } finally {
      spawnSync('umount', ['-l', dir])
    }
  })
})
