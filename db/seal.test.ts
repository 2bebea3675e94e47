import { expect, test } from 'vitest'
import { openSealed, seal, type SealPlace } from './seal'

const place: SealPlace = { projectId: 'p', connectionId: 'c', column: 'credential' }
const secret = 'a secret of the server, long enough'

test('what was sealed opens with the same secret at the same place, and nowhere else', () => {
  const sealed = seal(secret, place, 'Bearer grün')
  expect(openSealed(secret, place, sealed)).toBe('Bearer grün')
  expect(sealed.includes('Bearer')).toBe(false)
  expect(openSealed('another secret', place, sealed)).toBeNull()
  expect(openSealed(secret, { ...place, connectionId: 'd' }, sealed)).toBeNull()
  expect(openSealed(secret, { ...place, column: 'database_url' }, sealed)).toBeNull()
})

test('a changed or shortened value opens nothing', () => {
  const sealed = seal(secret, place, 'x'.repeat(20))
  for (let i = 0; i < sealed.length; i++)
    expect(
      openSealed(secret, place, Buffer.from(sealed.map((byte, at) => (at === i ? byte ^ 1 : byte)))),
      String(i),
    ).toBeNull()
  for (let length = 0; length < sealed.length; length++)
    expect(openSealed(secret, place, sealed.subarray(0, length)), String(length)).toBeNull()
})

test('the same text is sealed differently each time', () => {
  expect(seal(secret, place, 'x').equals(seal(secret, place, 'x'))).toBe(false)
})
