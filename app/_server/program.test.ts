import { afterEach, expect, test, vi } from 'vitest'
import { PROGRAM_PLACEHOLDER } from '@/lib/program-command'
import { PEER_HEADER } from './config'
import { programCommand } from './program'

afterEach(() => vi.unstubAllEnvs())

const LOCAL = { [PEER_HEADER]: '127.0.0.1', host: 'localhost:4790' }

test.each<[string, Record<string, string>]>([
  ['the reader sits at this machine', {}],
  ['the framework repeats the address of the connection', { 'x-forwarded-for': '::ffff:127.0.0.1' }],
  ['the connection is one over IPv6', { [PEER_HEADER]: '::1', host: '[::1]:4790' }],
])('the path of this program is printed when %s', (_, headers) => {
  vi.stubEnv('INQUEST_PROGRAM', '/opt/my tools/inquest/bin/inquest.cjs')
  expect(programCommand(new Headers({ ...LOCAL, ...headers }))).toBe(
    "node '/opt/my tools/inquest/bin/inquest.cjs'",
  )
})

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['on another machine', { [PEER_HEADER]: '192.0.2.7' }, {}],
  ['behind a proxy on this machine', { 'x-forwarded-for': '192.0.2.7' }, {}],
  ['behind a proxy that says so in the standard header', { forwarded: 'for=192.0.2.7' }, {}],
  ['who uses another name of this machine', { host: 'inquest.example' }, {}],
  ['of a server with a public address', {}, { INQUEST_PUBLIC_URL: 'https://inquest.example' }],
  ['of a server that was not started by its own program', {}, { INQUEST_PROGRAM: '' }],
])('a path to fill in is printed for a reader %s', (_, headers, env) => {
  vi.stubEnv('INQUEST_PROGRAM', '/opt/inquest/bin/inquest.cjs')
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  expect(programCommand(new Headers({ ...LOCAL, ...headers }))).toBe(PROGRAM_PLACEHOLDER)
})
