import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../text/canonical-json'
import { auditHash, GENESIS, verifyAuditChain, type AuditEntry } from './chain'

const build = (details: Record<string, unknown>[]): AuditEntry[] => {
  const entries: AuditEntry[] = []
  for (const [i, detail] of details.entries()) {
    const entry = {
      projectId: 'p',
      seq: i + 1,
      at: '2026-01-01T00:00:00.000Z',
      actor: 'person:1',
      action: 'a',
      subject: 's',
      detail,
      prevHash: entries.at(-1)?.hash ?? GENESIS,
    }
    entries.push({ ...entry, hash: auditHash(entry) })
  }
  return entries
}

const details = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 6 })

test('an untouched chain is valid and its head is the last hash', () => {
  fc.assert(
    fc.property(details, (d) => {
      const entries = build(d)
      expect(verifyAuditChain(entries)).toEqual({
        valid: true,
        entries: d.length,
        head: entries.at(-1)!.hash,
      })
    }),
  )
})

test('any changed field is found at its entry', () => {
  fc.assert(
    fc.property(
      details,
      fc.nat(),
      fc.constantFrom('actor', 'action', 'subject', 'at', 'projectId'),
      (d, at, field) => {
        const entries = build(d)
        const i = at % entries.length
        entries[i] = { ...entries[i]!, [field]: `${entries[i]![field as 'actor']}!` }
        expect(verifyAuditChain(entries)).toEqual({ valid: false, seq: i + 1, why: 'changed' })
      },
    ),
  )
})

test('an entry that is missing in the middle is a gap, one that was hashed again breaks the link behind it', () => {
  const entries = build([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(verifyAuditChain([entries[0]!, entries[2]!])).toEqual({ valid: false, seq: 2, why: 'gap' })
  const forged = { ...entries[1]!, detail: { n: 9 } }
  expect(verifyAuditChain([entries[0]!, { ...forged, hash: auditHash(forged) }, entries[2]!])).toEqual({
    valid: false,
    seq: 3,
    why: 'broken_link',
  })
})

test('part of a chain is checked from the entry it follows', () => {
  const [first, second, third] = build([{ n: 1 }, { n: 2 }, { n: 3 }]) as [AuditEntry, AuditEntry, AuditEntry]
  expect(verifyAuditChain([second, third], { seq: 1, hash: first.hash })).toMatchObject({
    valid: true,
    entries: 2,
  })
  expect(verifyAuditChain([third], { seq: 2, hash: first.hash })).toEqual({
    valid: false,
    seq: 3,
    why: 'broken_link',
  })
})

test('canonical JSON does not depend on the order of keys and reads back as the same value', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.jsonValue(),
      ),
      (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(object))
        expect(JSON.parse(canonicalJson(object))).toEqual(JSON.parse(JSON.stringify(object)))
      },
    ),
  )
})
