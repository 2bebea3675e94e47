import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A real repository in a folder of its own. */
export interface TestRepository {
  path: string
  git: (...args: string[]) => string
  put: (name: string, content: string | Buffer) => void
  /** Commits everything that is there. @returns the commit */
  commit: () => string
  /** The patch from what is committed to what is there, which goes away again. */
  patch: (...options: string[]) => Buffer
}

export const scratchFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'inquest-mirrors-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export function makeRepository(path: string, ...init: string[]): TestRepository {
  mkdirSync(path, { recursive: true })
  const run = (args: string[]): Buffer =>
    execFileSync(
      'git',
      [
        '-c',
        'user.name=A',
        '-c',
        'user.email=a@example.invalid',
        '-c',
        'core.autocrlf=false',
        '-c',
        'commit.gpgSign=false',
        ...args,
      ],
      {
        cwd: path,
        stdio: 'pipe',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
      },
    )
  const git = (...args: string[]): string => run(args).toString('utf8').trim()
  git('init', '-q', '-b', 'main', ...init)
  return {
    path,
    git,
    put: (name, content) => {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
    },
    commit: () => {
      git('add', '-A')
      git('commit', '-qm', 'change', '--allow-empty')
      return git('rev-parse', 'HEAD')
    },
    patch: (...options) => {
      git('add', '-A')
      const bytes = run(['diff', '--cached', '--binary', ...options])
      git('reset', '-q', '--hard')
      return bytes
    },
  }
}

/** So many numbered lines; `changed` puts other text in the place of some. */
export const numbered = (count: number, changed: Record<number, string> = {}): string =>
  Array.from({ length: count }, (_, i) => `${changed[i + 1] ?? i + 1}\n`).join('')
