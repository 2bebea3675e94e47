import { expect, test } from 'vitest'
import { noise } from '../../text/redaction/secret-samples.fixture'
import { readPatch } from '../patches/read-patch'
import { readFileRows } from '../../views/fixes/diff-rows'
import { findSecrets } from './find-secrets'
import { hideSecrets } from './hide-secrets'

const secret = `ghp_${noise(36)}`
const PATCH = `diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,3 +1,4 @@ const t = "${secret}"
 a
-old ${secret}\r
+new ${secret} é
+plain
 ${secret}
@@ -10 +11 @@
-${secret}
\\ No newline at end of file
+x
\\ No newline at end of file
`
const bytes = new TextEncoder().encode(PATCH)
const textOf = (part: Uint8Array): string => new TextDecoder().decode(part)

test('every place stays, the patch is read as it was, and nothing of a line with a secret is left', async () => {
  const { runs } = await findSecrets(bytes, readPatch(bytes))
  const hidden = hideSecrets(runs, 0)(bytes.slice())
  expect(hidden.length).toBe(bytes.length)
  expect(textOf(hidden)).not.toContain(secret.slice(4, 12))
  expect(textOf(hidden).split('\n').slice(3, 11)).toEqual([
    `@@ -1,3 +1,4 @@${'*'.repeat(secret.length + 13)}`,
    ' a',
    `-${'*'.repeat(secret.length + 4)}\r`,
    `+${'*'.repeat(secret.length + 7)}`,
    '+plain',
    ` ${'*'.repeat(secret.length)}`,
    '@@ -10 +11 @@',
    `-${'*'.repeat(secret.length)}`,
  ])
  const shape = (part: Uint8Array) => {
    const { hunks, problem } = readFileRows(part, 1)
    return {
      problem,
      hunks: hunks.map((hunk) => ({
        ...hunk,
        heading: '',
        rows: hunk.rows.map((row) => ({ ...row, text: row.text.length })),
      })),
    }
  }
  // `é` is two bytes, so two stars.
  const wanted = shape(bytes)
  wanted.hunks[0]!.rows[2]!.text++
  expect(shape(hidden)).toEqual(wanted)
})

test('pieces of any size, from any byte on, come to the same', async () => {
  const { runs } = await findSecrets(bytes, readPatch(bytes))
  const whole = hideSecrets(runs, 0)(bytes.slice())
  for (const size of [1, 7, 64]) {
    const hide = hideSecrets(runs, 0)
    const pieces: number[] = []
    for (let at = 0; at < bytes.length; at += size) pieces.push(...hide(bytes.slice(at, at + size)))
    expect(Uint8Array.from(pieces)).toEqual(whole)
  }
  for (let start = 0; start < bytes.length; start++) {
    const part = hideSecrets(runs, start)(bytes.slice(start))
    // From inside of a line on more of it may be hidden, never less.
    expect(part.every((byte, i) => byte === whole[start + i] || byte === 0x2a)).toBe(true)
  }
})

test('a marker that ends a file stays one, when it stands between lines that are hidden together', () => {
  const start = PATCH.indexOf('@@ -10')
  const hidden = hideSecrets(
    [{ start: 10, end: 14, byteStart: start, byteEnd: bytes.length }],
    0,
  )(bytes.slice())
  expect(readPatch(hidden)).toMatchObject({
    verdict: 'ok',
    sections: [
      {
        hunks: [
          { added: 2, deleted: 1 },
          { added: 1, deleted: 1 },
        ],
      },
    ],
  })
  expect(textOf(hidden)).toContain(`\n\\ ${'*'.repeat(25)}\n`)
})
