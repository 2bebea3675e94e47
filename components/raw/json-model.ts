import { type Node, parseTree } from 'jsonc-parser'

/** Larger texts are shown as text only: a tree of them would not help a reader and would hold the page up. */
export const JSON_TREE_CHARS_MAX = 8 * 1024 * 1024

/** Reads JSON keeping the place of every value in the text, so that digits stay exact and ranges can be shown. Null when it is none. */
export function readJson(text: string): Node | null {
  if (text.length > JSON_TREE_CHARS_MAX || !/^\s*[[{]/.test(text)) return null
  const errors: { error: number }[] = []
  try {
    const root = parseTree(text, errors as never, { disallowComments: true, allowTrailingComma: false })
    return root && errors.length === 0 ? root : null
  } catch (error) {
    // Deeper than the stack: such records are kept as odd, and shown as text.
    if (error instanceof RangeError) return null
    throw error
  }
}

export const escapeToken = (token: string): string => token.replace(/~/g, '~0').replace(/\//g, '~1')
const unescapeToken = (token: string): string => token.replace(/~1/g, '/').replace(/~0/g, '~')

/** The tokens of a JSON pointer (RFC 6901); null when it is none. `''` is the whole document. */
export const pointerTokens = (pointer: string): string[] | null =>
  pointer === '' ? [] : pointer.startsWith('/') ? pointer.slice(1).split('/').map(unescapeToken) : null

/** The pointer of an address' fragment: `#/a/b`, percent-encoded or not. Null for other fragments. */
export function fragmentPointer(hash: string): string | null {
  if (!hash.startsWith('#/')) return null
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

export interface Member {
  token: string
  value: Node
}

/** What is inside an object or array, in the order of the text; a key that occurs twice is listed twice. */
export function members(node: Node): Member[] {
  const children = node.children ?? []
  if (node.type === 'object')
    return children.flatMap((p) =>
      p.children?.[1] ? [{ token: String(p.children[0]!.value), value: p.children[1] }] : [],
    )
  return node.type === 'array' ? children.map((value, index) => ({ token: String(index), value })) : []
}

/** The value a pointer leads to, or null. */
export function nodeAt(root: Node, pointer: string): Node | null {
  const tokens = pointerTokens(pointer)
  if (tokens === null) return null
  let node = root
  for (const token of tokens) {
    const next = members(node).find((member) => member.token === token)
    if (!next) return null
    node = next.value
  }
  return node
}

/** Pointer of the smallest value that contains a range of the text. */
export function pointerOfRange(root: Node, start: number, end: number): string {
  let node = root
  let pointer = ''
  for (;;) {
    const inner = members(node).find(
      ({ value }) => value.offset <= start && value.offset + value.length >= end,
    )
    if (!inner) return pointer
    pointer += `/${escapeToken(inner.token)}`
    node = inner.value
  }
}

export interface JsonRow {
  pointer: string
  /** Name in its object or place in its array; null for the root. */
  token: string | null
  inArray: boolean
  depth: number
  node: Node
  /** Null for values that hold nothing to open. */
  open: boolean | null
}

/** The rows to be seen when the values in `open` are open. */
export function jsonRows(root: Node, open: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = []
  const add = (node: Node, pointer: string, token: string | null, inArray: boolean, depth: number): void => {
    const inside = members(node)
    const isOpen = inside.length === 0 ? null : open.has(pointer)
    rows.push({ pointer, token, inArray, depth, node, open: isOpen })
    if (isOpen)
      for (const member of inside)
        add(
          member.value,
          `${pointer}/${escapeToken(member.token)}`,
          member.token,
          node.type === 'array',
          depth + 1,
        )
  }
  add(root, '', null, false, 0)
  return rows
}

/** Every value on the way to a pointer, the root first, itself not. */
export function ancestors(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens.map((_, index) => (index === 0 ? '' : `/${tokens.slice(0, index).join('/')}`))
}

const OPEN_AT_FIRST = 60

/** What is open at first: level by level, as long as the whole stays within a screen or so. */
export function openAtFirst(root: Node): Set<string> {
  const open = new Set<string>()
  let level: { node: Node; pointer: string }[] = [{ node: root, pointer: '' }]
  let rows = 1
  while (level.length > 0) {
    const next = level.flatMap(({ node, pointer }) =>
      members(node).map((m) => ({ node: m.value, pointer: `${pointer}/${escapeToken(m.token)}` })),
    )
    if (open.size > 0 && rows + next.length > OPEN_AT_FIRST) break
    for (const { pointer } of level) open.add(pointer)
    rows += next.length
    level = next.filter(({ node }) => (node.children?.length ?? 0) > 0)
  }
  return open
}

/** Pointers of all values whose key or own text contains the words, in the order of the text. */
export function findInJson(root: Node, words: string): string[] {
  const needle = words.toLowerCase()
  if (needle === '') return []
  const hits: string[] = []
  const look = (node: Node, pointer: string, token: string | null): void => {
    const leaf = node.children === undefined ? String(node.value) : null
    if (token?.toLowerCase().includes(needle) || leaf?.toLowerCase().includes(needle)) hits.push(pointer)
    for (const member of members(node))
      look(member.value, `${pointer}/${escapeToken(member.token)}`, member.token)
  }
  look(root, '', null)
  return hits
}
