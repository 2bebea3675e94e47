import { spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { EXACT_SETTINGS } from '@/lib/judge/fixes/apply-options'
import { limits } from '@/lib/limits'

export interface GitAnswer {
  /** `ended`: with `status`; `absent`: there is no git; `stopped`: its time was over. */
  how: 'ended' | 'absent' | 'stopped'
  status: number
  out: string
  err: Buffer
}

export interface GitCall {
  gitDir: string
  /** Where it is: a folder that no repository has a say in. */
  folder: string
  index?: string
  input?: Uint8Array
  /** Ends it when it aborts. */
  signal: AbortSignal
}

/**
 * Nothing that a repository says may start a program or reach a network: no hooks, no watcher, no pager, no filters, no transports. What is given on
 * the command line is above what the repository's own configuration says.
 */
const SETTINGS = {
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'core.attributesFile': devNull,
  'core.excludesFile': devNull,
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.askPass': 'false',
  'core.sshCommand': 'false',
  'core.untrackedCache': 'false',
  'core.alternateRefsCommand': 'false',
  'protocol.allow': 'never',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'submodule.recurse': 'false',
  ...EXACT_SETTINGS,
}
const OPTIONS = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

/** Made from nothing: no variable of the server's own environment reaches git but the way to it. */
const environment = ({ gitDir, folder, index }: GitCall): NodeJS.ProcessEnv => ({
  NODE_ENV: process.env.NODE_ENV,
  PATH: process.env.PATH,
  ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
  HOME: folder,
  XDG_CONFIG_HOME: folder,
  TMPDIR: folder,
  LC_ALL: 'C',
  LANGUAGE: '',
  TZ: 'UTC',
  GIT_DIR: gitDir,
  ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: devNull,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
})

/** Asks the git of this server, without a shell. What it says beyond `limits.fitOutputBytesMax` is read and dropped. Never throws. */
export function runGit(args: readonly string[], call: GitCall): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const out = bounded()
    const err = bounded()
    const done = (how: GitAnswer['how'], status: number): void =>
      resolve({ how, status, out: out.bytes().toString('utf8'), err: err.bytes() })
    if (call.signal.aborted) return done('stopped', 1)
    const child = spawn('git', [...OPTIONS, ...args], {
      cwd: call.folder,
      env: environment(call),
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: call.signal,
      killSignal: 'SIGKILL',
    })
    child.stdout.on('data', out.take)
    child.stderr.on('data', err.take)
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.name !== 'AbortError') done(error.code === 'ENOENT' ? 'absent' : 'ended', 128)
    })
    child.on('close', (status) => done(call.signal.aborted ? 'stopped' : 'ended', status ?? 128))
    // A git that ends early has said why.
    child.stdin.on('error', () => {})
    child.stdin.end(call.input)
  })
}

function bounded(): { take: (chunk: Buffer) => void; bytes: () => Buffer } {
  const chunks: Buffer[] = []
  let left: number = limits.fitOutputBytesMax
  return {
    take: (chunk) => {
      if (left > 0) chunks.push(chunk.subarray(0, left))
      left = Math.max(0, left - chunk.length)
    },
    bytes: () => Buffer.concat(chunks),
  }
}
