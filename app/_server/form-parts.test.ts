import { expect, test } from 'vitest'
import { formParts } from './form-parts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const TYPE = 'multipart/form-data; boundary=x'

test('a form as a browser makes it: names, files, and bytes of any kind, without a copy', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256)
  const form = new FormData()
  form.set('patch', new Blob([bytes]), 'a "b" é.patch')
  form.set('proposal', '{"task":"é"}')
  form.set('empty', new Blob([]), 'e')
  const request = new Request('http://x/', { method: 'POST', body: form })
  const body = new Uint8Array(await request.arrayBuffer())
  const parts = formParts(body, request.headers.get('content-type')!)!
  expect(parts.map(({ name, isFile }) => [name, isFile])).toEqual([
    ['patch', true],
    ['proposal', false],
    ['empty', true],
  ])
  expect([
    Buffer.compare(parts[0]!.bytes, bytes),
    new TextDecoder().decode(parts[1]!.bytes),
    parts[2]!.bytes.length,
  ]).toEqual([0, '{"task":"é"}', 0])
  expect(parts[0]!.bytes.buffer).toBe(body.buffer)
})

test('line ends and what looks like a boundary inside of a part stay', () => {
  const content = '\r\n--y\r\n--\r\n-- x\r\n\r\n'
  expect(
    formParts(
      bytesOf(
        `--x\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name="patch"; filename=p\r\n\r\n${content}\r\n--x--\r\n`,
      ),
      TYPE,
    ),
  ).toEqual([{ name: 'patch', isFile: true, bytes: Buffer.from(content) }])
  expect(
    formParts(
      bytesOf(
        'preamble\r\n--a b\r\nContent-Disposition: form-data; filename="p"; name="n"\r\n\r\n1\r\n--a b--',
      ),
      'multipart/form-data; boundary="a b"',
    ),
  ).toMatchObject([{ name: 'n', isFile: true }])
})

test.each([
  ['no boundary in its type', '--x--', 'multipart/form-data'],
  ['another boundary', '--y\r\n\r\n--y--', TYPE],
  ['an end that is missing', '--x\r\nContent-Disposition: form-data; name="patch"\r\n\r\nabc\r\n', TYPE],
  ['a part without headers', '--x\r\nabc\r\n--x--', TYPE],
  ['a part without a name', '--x\r\nContent-Type: text/plain\r\n\r\nabc\r\n--x--', TYPE],
  ['a boundary in the middle of a line', 'abc--x--', TYPE],
  ['nothing', '', TYPE],
])('a form with %s is none', (_what, body, type) => {
  expect(formParts(bytesOf(body), type)).toBeNull()
})
