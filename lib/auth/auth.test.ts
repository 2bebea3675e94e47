import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeNextPath } from './next-path'
import { ACTIONS, type Action, can, keyCan, parseScopes, SCOPES } from './permissions'
import { atLeast, parseRole, ROLES } from './roles'

describe('roles', () => {
  const actions = Object.keys(ACTIONS) as Action[]

  test('a higher role may do whatever a lower one may', () => {
    for (const action of actions) {
      const allowed = ROLES.map((role) => can(role, action))
      expect(allowed, action).toEqual([...allowed].sort())
      expect(allowed.at(-1), action).toBe(true)
    }
  })

  test('a viewer reads and does nothing else', () => {
    expect(actions.filter((action) => can('viewer', action))).toEqual(['read', 'read-ci-run'])
  })

  test('an unknown role is none', () => {
    expect(parseRole('owner')).toBeNull()
    expect(parseRole(null)).toBeNull()
    expect(atLeast('reviewer', 'operator')).toBe(true)
    expect(atLeast('operator', 'reviewer')).toBe(false)
  })

  test('a key does what its scopes name, and only the local key administers', () => {
    expect(actions.filter((action) => keyCan(['ingest'], action))).toEqual([
      'read-ci-run',
      'ingest',
      'load-sample',
      'propose-fix',
    ])
    expect(actions.filter((action) => keyCan(['read'], action))).toEqual(['read', 'read-ci-run'])
    expect(actions.filter((action) => keyCan(['read', 'ingest', 'write'], action))).not.toContain(
      'manage-keys',
    )
    expect(actions.every((action) => keyCan(['admin'], action))).toBe(true)
    expect(actions.some((action) => keyCan([], action))).toBe(false)
  })

  test('scopes are read in one order and unknown ones left out', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...SCOPES), fc.string())), (given) => {
        expect(parseScopes(given)).toEqual(SCOPES.filter((scope) => given.includes(scope)))
      }),
    )
    expect(parseScopes('read')).toEqual([])
  })
})

describe('the way back after signing in', () => {
  test.each([
    ['/executions?q=outcome%3Afailed', '/executions?q=outcome%3Afailed'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/a\nb', '/'],
    ['javascript:alert(1)', '/'],
    ['/.//evil.example', '/'],
    ['/executions\ud800', '/executions%EF%BF%BD'],
    ['/executions?q=größe#ende', '/executions?q=gr%C3%B6%C3%9Fe#ende'],
    ['', '/'],
    [null, '/'],
  ])('%s', (given, want) => expect(safeNextPath(given)).toBe(want))

  test('never leaves the site', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const path = safeNextPath(text)
        expect(new URL(path, 'http://here.example').origin).toBe('http://here.example')
        // What is sent in a header.
        expect(path).toMatch(/^[\x21-\x7e]+$/)
      }),
    )
  })
})
