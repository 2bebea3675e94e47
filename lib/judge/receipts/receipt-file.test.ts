import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBase64 } from './keys'
import {
  BLOCK_END,
  blockStart,
  RECEIPT_FILE_FOOT,
  RECEIPT_FILE_FORMAT,
  receiptFileBlock,
  receiptFileHead,
  receiptFileName,
  receiptLines,
  type ReceiptFileChain,
} from './receipt-file'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const parts = { script: 'go()', scriptHash: 'sha256-a', style: 'p{}', styleHash: 'sha256-b' }
const chainOf = (text: string): ReceiptFileChain => ({
  id: text,
  project: text,
  keys: [{ fingerprint: text, publicKey: text, label: text, chainId: text, isCurrent: true, addedAt: text }],
})
/** What a reader of markup finds in a block: everything until its end tag, wherever that stands. */
const inside = (html: string, name: Parameters<typeof blockStart>[0]): string => {
  const start = html.indexOf(blockStart(name)) + blockStart(name).length
  return html.slice(start, html.search(/<\/script/i))
}

describe('a block', () => {
  test('of receipts gives back every byte, and nothing in it is markup', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 20 }),
        (receipts) => {
          const html = receiptLines(receipts.map(base64))
          const held = inside(html, 'receipts')
          expect(held).toMatch(/^[A-Za-z0-9+/=\n]*$/)
          // `slice`: an empty receipt is an empty line.
          expect(
            held
              .split('\n')
              .slice(1, -1)
              .map((line) => [...readBase64(line)!]),
          ).toEqual(receipts.map((one) => [...one]))
        },
      ),
    )
  })

  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '</script>',
          '<!--',
          '<script>',
          '-->',
          ']]>',
          '\u2028',
          '\u2029',
          '&lt;',
          '\n',
          '"',
          '\\',
          '\ud800',
          '\u0000',
          '\u202e',
        ),
      )
      .map((all) => all.join('')),
  )
  test('of anything else is one line, means what was put in, and cannot end its element', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const html = receiptFileBlock('chain', chainOf(text))
        expect(html.split('\n')).toHaveLength(4)
        expect(html).toMatch(/^[\n\x20-\x7e]*$/)
        const held = inside(html, 'chain')
        expect(held).not.toMatch(/[<>&]/)
        expect(JSON.parse(held)).toEqual(chainOf(text))
        expect(html.endsWith(`\n${BLOCK_END}\n`)).toBe(true)
      }),
    )
  })
})

describe('the head', () => {
  const about = {
    format: RECEIPT_FILE_FORMAT,
    exportedAt: '2026-06-15T10:00:00.000Z',
    server: 'http://127.0.0.1:4790',
    executionId: null,
  } as const
  test('lets only its own program and styles run, and asks nobody', () => {
    const head = receiptFileHead(parts, about)
    expect(/content="(default-src[^"]+)"/.exec(head)![1]!.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'sha256-a'",
      "style-src 'sha256-b'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(head.indexOf('Content-Security-Policy')).toBeLessThan(head.indexOf('<style>'))
    expect(`${head}${RECEIPT_FILE_FOOT}`).not.toMatch(/\b(?:src|href)=/)
  })

  test.each([
    { script: 'a="</SCRIPT >"' },
    { script: 'a="<!--<script>"' },
    { style: 'p{content:"</style>"}' },
  ])('of a program or styles that would end their element is refused: %j', (part) => {
    expect(() => receiptFileHead({ ...parts, ...part }, about)).toThrow(TypeError)
  })
})

test('a file has a name that every file system takes', () => {
  expect(
    ['2026-06-15/agent/a1', '../../etc/passwd', '"; rm -rf "\r\n', 'ヽ', 'x'.repeat(500)].map(
      receiptFileName,
    ),
  ).toEqual([
    'receipts-2026-06-15-agent-a1.html',
    'receipts-etc-passwd.html',
    'receipts-rm-rf.html',
    'receipts-chain.html',
    `receipts-${'x'.repeat(80)}.html`,
  ])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) =>
      /^receipts-[A-Za-z0-9][A-Za-z0-9-]*\.html$/.test(receiptFileName(id)),
    ),
  )
})
