import { answeredCalls } from '@/lib/judge/receipts/chain-tiles'
import { signatureSupport, type VerifiedChain } from '@/lib/judge/receipts/verify-pages'
import { visible } from '@/lib/text/visible'
import { formatAbsolute, formatCount, plural } from '../shared/format'
import { type CheckedChain, chainPart, checkedChain, verdictLine } from './chain-part'
import { h, shown } from './dom'
import { keysPart, type PinnedKey } from './keys-part'
import { readFile, type ReadFile } from './read-file'
import { verifyFileChain } from './verify-file-chain'

/** The program of a file of receipts. Bundled by `scripts/build-cli.mjs` and put into each file; it runs from a disk, with no network. */
document.addEventListener('DOMContentLoaded', () => {
  const page = document.getElementById('page')!
  try {
    const file = readFile(document)
    document.title =
      `Receipts: ${file.chains.length === 1 ? visible(file.chains[0]!.id) : plural(file.chains.length, 'chain')}`.slice(
        0,
        120,
      )
    void openFile(page, file)
  } catch (error) {
    page.replaceChildren(
      h('h1', {}, 'This file can’t be read'),
      h('p', { role: 'alert' }, (error as Error).message),
    )
  }
})

async function openFile(page: HTMLElement, file: ReadFile): Promise<void> {
  const support = await signatureSupport()
  let run = new AbortController()
  const verify = async (pinned: PinnedKey | null): Promise<void> => {
    run.abort()
    const { signal } = (run = new AbortController())
    try {
      const checked = await checkAll(page, file, { pinned, support, signal })
      draw(page, file, checked, pinned, (key) => void verify(key))
    } catch (error) {
      if (!signal.aborted)
        page.replaceChildren(
          h('h1', {}, 'The receipts could not be verified'),
          h('p', { role: 'alert' }, String(error)),
        )
    }
  }
  await verify(null)
}

interface CheckAll {
  pinned: PinnedKey | null
  support: VerifiedChain['signatures'] & Parameters<typeof verifyFileChain>[1]['support']
  signal: AbortSignal
}

async function checkAll(
  page: HTMLElement,
  { chains }: ReadFile,
  { pinned, support, signal }: CheckAll,
): Promise<CheckedChain[]> {
  const all = chains.reduce((sum, chain) => sum + chain.receipts, 0)
  const bar = h('progress', { max: String(Math.max(1, all)), 'aria-label': 'Receipts verified' })
  const words = h('p', { 'aria-live': 'off' })
  page.replaceChildren(h('h1', {}, 'Verifying in this browser'), words, bar)
  const verified: VerifiedChain[] = []
  let before = 0
  for (const chain of chains) {
    const onProgress = (done: number): void => {
      bar.value = before + done
      words.textContent = `${formatCount(before + done)} of ${plural(all, 'receipt')}`
    }
    verified.push(
      await verifyFileChain(chain, {
        keys: pinned ? [{ publicKey: pinned.publicKey, isCurrent: false }] : chain.keys,
        support,
        signal,
        onProgress,
      }),
    )
    before += chain.receipts
  }
  signal.throwIfAborted()
  const answered = new Set(chains.length < 2 ? [] : verified.flatMap(answeredCalls))
  return chains.map((chain, i) => checkedChain(chain, verified[i]!, answered))
}

function draw(
  page: HTMLElement,
  file: ReadFile,
  checked: CheckedChain[],
  pinned: PinnedKey | null,
  onPin: (key: PinnedKey | null) => void,
): void {
  const { about, problem } = file
  const broken = checked.findIndex(({ look }) => look === 'broken')
  const worst = checked[Math.max(0, broken)]
  const parts = checked.map((one) => chainPart(one, checked.length === 1))
  page.replaceChildren(
    h(
      'header',
      {},
      worst
        ? verdictLine('h1', worst.look, checked.length === 1 ? worst.sentence : overall(checked))
        : h('h1', {}, 'No receipts'),
      broken !== -1 &&
        checked.length > 1 &&
        h('p', {}, 'Chain ', shown(worst!.chain.id), `: ${worst!.sentence}`),
      h(
        'p',
        { class: 'quiet' },
        `Checked in this browser, without any server. A valid receipt was not changed; that doesn’t prove its content is true. Exported ${formatAbsolute(Date.parse(about.exportedAt))} from ${about.server}.`,
      ),
      problem && h('p', { class: 'alarm', role: 'alert' }, problem),
    ),
    ...parts.map(({ element }) => element),
    keysPart(file, pinned, onPin),
  )
  if (broken !== -1) parts[broken]!.show(checked[broken]!.tiled.break?.index ?? 0, false)
}

function overall(checked: readonly CheckedChain[]): string {
  const count = (look: CheckedChain['look']): number => checked.filter((one) => one.look === look).length
  const counts = [
    [count('broken'), 'broken'],
    [count('unchecked'), 'not verified'],
    [count('interrupted'), 'valid and interrupted'],
    [count('open'), 'valid so far, completeness unknown'],
    [count('complete'), 'valid and complete'],
  ]
    .filter(([n]) => n !== 0)
    .map(([n, words]) => `${formatCount(n as number)} ${words}`)
  return `Of ${plural(checked.length, 'chain')} ${counts.join(', ')}`
}
