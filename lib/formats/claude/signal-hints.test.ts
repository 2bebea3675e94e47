import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failureSignalHints } from './signal-hints'
import { scanFailureSignal } from './failure-signal'
import type { SignalBreach } from '../../model/failure-signal'

const block = '<octopus-task-failed>\nwhy\n</octopus-task-failed>'
const bare = '<octopus-task-failed/>'

describe('breaches of the contract', () => {
  test.each<[string, string, SignalBreach[]]>([
    ['no block at all', 'all is fine', []],
    ['a block as it should be', `I looked.\n\n${block}\n`, []],
    ['a block that is never closed is none', '```\n<octopus-task-failed>why', []],
    ['in a fence', `\`\`\`\n${block}\n\`\`\``, ['fenced']],
    ['in a fence with a language', `Look:\n\`\`\`xml\n${block}\n\`\`\``, ['fenced']],
    ['in a fence of tildes', `~~~\n${block}\n~~~`, ['fenced']],
    ['in a fence within a quotation', `> \`\`\`\n> ${block}\n> \`\`\``, ['fenced']],
    ['behind a fence that is closed', `\`\`\`sh\nnpm test\n\`\`\`\n${block}`, []],
    ['a shorter fence does not close a longer one', `\`\`\`\`\n\`\`\`\n${block}`, ['fenced']],
    ['in a fence of lines that end in CR LF', `\`\`\`\r\n${block}\r\n\`\`\``, ['fenced']],
    [
      'behind a fence that is closed, of lines that end in CR LF',
      `\`\`\`\r\nnpm test\r\n\`\`\`\r\n${block}`,
      [],
    ],
    ['a fence with words behind it closes nothing', `\`\`\`\n\`\`\`js\n${block}`, ['fenced']],
    ['in back-ticks', `I will not send \`${bare}\` now`, ['quoted', 'no_reason']],
    ['behind a pair of back-ticks', `\`npm test\` says: ${block}`, []],
    ['in bold', `**${block}**`, ['quoted']],
    ['in quotation marks', `You told me to send “${block}” when`, ['quoted']],
    ['in a quoted line', `> ${block}`, ['quoted']],
    ['a word with a mark before it is no quotation', `It's broken.\n${block}`, []],
    ['without a reason', bare, ['no_reason']],
    [
      'with nothing but blanks for a reason',
      '<octopus-task-failed> \n </octopus-task-failed>',
      ['no_reason'],
    ],
    ['twice', `${block}\n${block}`, ['repeated']],
    ['self-closing in front of a pair: the reason is lost', `${bare}\n${block}`, ['no_reason', 'repeated']],
    ['all at once', `\`\`\`\n${bare}\n\`\`\`\n${block}`, ['fenced', 'no_reason', 'repeated']],
  ])('%s', (_, text, breaches) =>
    expect(failureSignalHints(text).map(({ breach }) => breach)).toEqual(breaches),
  )

  test('the range is that of the block that is meant, of repeated ones the second', () => {
    const text = `${bare} and ${block}`
    expect(failureSignalHints(text).map(({ start, end }) => text.slice(start, end))).toEqual([bare, block])
    expect(failureSignalHints(text)[1]!.blocks).toEqual({ count: 2, more: false })
  })

  test('another tag has other blocks', () => {
    expect(failureSignalHints('<x/>')).toEqual([])
    expect(failureSignalHints('<x/>', 'x').map(({ breach }) => breach)).toEqual(['no_reason'])
  })

  test('very many blocks are not all counted', () => {
    expect(failureSignalHints(`${bare}\n`.repeat(50_000)).at(-1)!.blocks).toEqual({ count: 100, more: true })
  })

  test('a text of megabytes is walked, not searched again for each block or line', () => {
    const many = `${bare} ${'x'.repeat(100_000)}\n`.repeat(60)
    expect(failureSignalHints(many).at(-1)!.blocks).toEqual({ count: 60, more: false })
    expect(failureSignalHints(`${'`'.repeat(2_000_000)}\u2028x${block}`)).toHaveLength(1)
  })

  test('there are hints only where there is a signal, and their ranges lie in the text', () => {
    const piece = fc.constantFrom(
      '```',
      '`',
      '>',
      '\n',
      ' ',
      'x',
      '**',
      bare,
      block,
      '<octopus-task-failed>',
      '</octopus-task-failed>',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const text = pieces.join('')
        const hints = failureSignalHints(text)
        if (scanFailureSignal(text) === null) expect(hints).toEqual([])
        for (const { start, end } of hints) expect(scanFailureSignal(text.slice(start, end))).not.toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })
})
