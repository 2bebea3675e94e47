import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeLock, missingOf, platformOf } from './complete-lock.mjs'

const lock = {
  packages: {
    '': { name: 'x' },
    'node_modules/a': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@a/darwin-arm64': '1.0.0', '@a/linux-x64-gnu': '1.0.0' },
    },
    'node_modules/@a/linux-x64-gnu': { version: '1.0.0', optional: true },
  },
}

test('packages for other platforms that a registry did not hold are completed from the pins of those who want them', () => {
  expect(missingOf(lock)).toEqual([['node_modules/a', '@a/darwin-arm64', '1.0.0']])
  const done = completeLock(lock)
  expect(done.packages['node_modules/@a/darwin-arm64']).toEqual({
    version: '1.0.0',
    cpu: ['arm64'],
    os: ['darwin'],
    dev: true,
    optional: true,
  })
  expect(missingOf(done)).toEqual([])
})

test('a range cannot be completed and is told', () => {
  expect(() =>
    completeLock({ packages: { 'node_modules/a': { optionalDependencies: { b: '^1.0.0' } } } }),
  ).toThrow('b@^1.0.0')
})

test.each([
  ['@x/binding-linux-arm-musleabihf', { cpu: ['arm'], libc: ['musl'], os: ['linux'] }],
  ['@x/oxide-wasm32-wasi', { cpu: ['wasm32'] }],
  ['@x/swc-win32-x64-msvc', { cpu: ['x64'], os: ['win32'] }],
])('%s names its platform', (name, platform) => expect(platformOf(name)).toEqual(platform))

test('the lock of this project names every package that any platform needs', () => {
  expect(
    missingOf(JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))),
  ).toEqual([])
})
