import { parsePublicKey } from '@/lib/judge/receipts/keys'
import { formatAbsolute } from '../shared/format'
import { h, shown } from './dom'
import type { ReadFile } from './read-file'

/** A key that the reader brought: nothing else counts then. */
export interface PinnedKey {
  publicKey: string
  fingerprint: string
}

const KEY_BYTES_MAX = 10_000

/** The keys that signatures are checked with, where they come from, and a place to bring another one. */
export function keysPart(
  { about, chains }: ReadFile,
  pinned: PinnedKey | null,
  onPin: (key: PinnedKey | null) => void,
): HTMLElement {
  const keys = [
    ...new Map(
      chains.flatMap((chain) => chain.keys).map((key) => [`${key.fingerprint} ${key.chainId ?? ''}`, key]),
    ).values(),
  ]
  return h(
    'section',
    { 'aria-labelledby': 'keys' },
    h('h2', { id: 'keys' }, 'Keys'),
    pinned !== null
      ? h(
          'p',
          { class: 'pinned' },
          'Checked with your key. Keys in the file were ignored. ',
          h('code', {}, pinned.fingerprint),
          ' ',
          h('button', { type: 'button', click: () => onPin(null) }, 'Use the keys in the file'),
        )
      : h(
          'p',
          {},
          keys.length === 0
            ? 'This file has no keys, so signatures were not checked. Enter the issuer’s public key below.'
            : 'These keys came with the file. Anyone who could change its receipts could also replace its keys and re-sign it. Compare the fingerprint with one you got directly from the issuer, or enter the key below.',
        ),
    keys.length > 0 &&
      h(
        'ul',
        { class: `keys${pinned === null ? '' : ' unused'}` },
        ...keys.map((key) =>
          h(
            'li',
            {},
            h('code', {}, key.fingerprint),
            key.isCurrent && h('span', { class: 'chip' }, 'current'),
            h(
              'span',
              { class: 'quiet' },
              'registered as “',
              shown(key.label),
              `” at ${about.server} on ${formatAbsolute(Date.parse(key.addedAt))}, for ${key.chainId === null ? 'any chain' : 'this chain only'}`,
            ),
          ),
        ),
      ),
    keyForm(onPin),
  )
}

function keyForm(onPin: (key: PinnedKey) => void): HTMLElement {
  const text = h('textarea', {
    id: 'own-key',
    rows: '3',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': 'key-forms',
  })
  const trouble = h('p', { role: 'alert', class: 'trouble' })
  const file = h('input', {
    type: 'file',
    id: 'key-file',
    class: 'unseen',
    change: async () => {
      const given = file.files?.[0]
      if (given === undefined) return
      file.value = ''
      if (given.size > KEY_BYTES_MAX) trouble.textContent = 'This file is too large to be a key.'
      else use((text.value = await given.text()))
    },
  })
  const use = (given: string): void => {
    const key = parsePublicKey(given)
    if (key !== null) return onPin({ publicKey: given, fingerprint: key.fingerprint })
    if (given.includes('PRIVATE KEY')) text.value = ''
    trouble.textContent = given.includes('PRIVATE KEY')
      ? 'This is a private key. Use the public key.'
      : 'Not an Ed25519 public key.'
  }
  return h(
    'form',
    {
      class: 'own-key',
      submit: (event) => {
        event.preventDefault()
        use(text.value)
      },
    },
    h('label', { for: 'own-key' }, 'Your own key'),
    h(
      'p',
      { id: 'key-forms', class: 'quiet' },
      'PEM (BEGIN PUBLIC KEY), u… (multibase) or did:key:z6Mk…. Use the key at the start of the chain.',
    ),
    text,
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'submit', class: 'main' }, 'Verify with this key'),
      file,
      h('label', { for: 'key-file', class: 'button' }, 'Choose a file'),
    ),
    trouble,
  )
}
