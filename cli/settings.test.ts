import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSettings, stateFolder } from './settings'

let state = ''
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'inquest-state-'))
})
afterEach(() => rmSync(state, { recursive: true }))

const write = (text: string, mode = 0o600): void => {
  writeFileSync(join(state, 'server.json'), text)
  chmodSync(join(state, 'server.json'), mode)
}

test('the environment comes first, whatever server.json says', () => {
  write('{"url":"http://127.0.0.1:1","token":"local"}')
  const settings = readSettings({
    INQUEST_STATE: state,
    INQUEST_URL: 'https://inquest.example/base',
    INQUEST_TOKEN: 'secret',
  })
  expect([settings.url.href, settings.token, settings.from]).toEqual([
    'https://inquest.example/base',
    'secret',
    'environment',
  ])
})

test('without it the local server is found through server.json', () => {
  write('{"url":"http://127.0.0.1:4790","token":"local"}')
  const settings = readSettings({ INQUEST_STATE: state })
  expect([settings.url.href, settings.token, settings.from]).toEqual([
    'http://127.0.0.1:4790/',
    'local',
    'server.json',
  ])
})

test('the state folder follows INQUEST_STATE, then XDG_STATE_HOME, then the home folder', () => {
  expect(stateFolder({ INQUEST_STATE: '/a', XDG_STATE_HOME: '/b', HOME: '/c' })).toBe('/a')
  expect(stateFolder({ XDG_STATE_HOME: '/b', HOME: '/c' })).toBe('/b/inquest')
  expect(stateFolder({ HOME: '/c' })).toBe('/c/.local/state/inquest')
})

describe('what is wrong is said in a sentence with a way on, and never holds the key', () => {
  const says = (env: Record<string, string>): string => {
    try {
      readSettings({ INQUEST_STATE: state, ...env })
    } catch (error) {
      return (error as Error).message
    }
    return 'nothing was wrong'
  }

  test('no server known: both ways are named', () => {
    expect(says({})).toMatch(/npm start.*INQUEST_URL and INQUEST_TOKEN/)
  })

  test('a file that others can read is not used', () => {
    write('{"url":"http://127.0.0.1:4790","token":"top-secret"}', 0o644)
    expect(says({})).toMatch(/Other users can read.*chmod 600/)
    expect(says({})).not.toContain('top-secret')
  })

  test.each([
    ['not JSON', '{"url":', /is not JSON/],
    ['null', 'null', /lacks the address or the key/],
    ['no key', '{"url":"http://127.0.0.1:4790"}', /lacks the address or the key/],
    ['another protocol', '{"url":"file:///etc/passwd","token":"top-secret"}', /not an http or https URL/],
  ])('%s', (_, text, words) => {
    write(text)
    expect(says({})).toMatch(words)
    expect(says({})).not.toContain('top-secret')
  })

  test('an address without a key', () => {
    expect(says({ INQUEST_URL: 'http://127.0.0.1:1' })).toMatch(/INQUEST_TOKEN is not/)
  })
})
