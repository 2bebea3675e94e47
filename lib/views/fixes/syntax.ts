import type { ColourRange, SyntaxKind } from './line-pieces'

/** Grammars that colour a file, by the ending of its name; what is not here stays plain. */
export const GRAMMARS = [
  'typescript',
  'tsx',
  'javascript',
  'jsx',
  'json',
  'python',
  'go',
  'rust',
  'java',
  'ruby',
  'bash',
  'yaml',
  'css',
  'sql',
  'c',
  'markup',
  'toml',
] as const
export type Grammar = (typeof GRAMMARS)[number]

const ENDINGS: Record<string, Grammar> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'jsx',
  json: 'json',
  py: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  rb: 'ruby',
  sh: 'bash',
  bash: 'bash',
  yml: 'yaml',
  yaml: 'yaml',
  css: 'css',
  sql: 'sql',
  c: 'c',
  h: 'c',
  html: 'markup',
  xml: 'markup',
  svg: 'markup',
  toml: 'toml',
}

export const grammarOf = (fileName: string): Grammar | null => {
  const ending = /\.([a-z]{1,5})$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending]! : null
}

const KINDS: Record<string, SyntaxKind> = {
  keyword: 'keyword',
  atrule: 'keyword',
  tag: 'keyword',
  important: 'keyword',
  selector: 'keyword',
  boolean: 'number',
  number: 'number',
  constant: 'number',
  null: 'number',
  string: 'string',
  char: 'string',
  regex: 'string',
  'attr-value': 'string',
  'template-string': 'string',
  url: 'string',
  comment: 'comment',
  prolog: 'comment',
  doctype: 'comment',
  cdata: 'comment',
  function: 'function',
  property: 'function',
  'attr-name': 'function',
  decorator: 'function',
  key: 'function',
  'class-name': 'type',
  builtin: 'type',
  namespace: 'type',
  'maybe-class-name': 'type',
}

/** A piece of a coloured text, as highlighters answer it. */
export interface SyntaxNode {
  type: string
  value?: string
  properties?: { className?: unknown }
  children?: SyntaxNode[]
}

const kindOf = ({ properties }: SyntaxNode): SyntaxKind | null => {
  const names = Array.isArray(properties?.className)
    ? properties.className.filter((name) => typeof name === 'string')
    : []
  for (const name of names) if (Object.hasOwn(KINDS, name)) return KINDS[name]!
  return null
}

/** The colours of each line of a text; the innermost kind of a place counts. */
export function coloursByLine(root: SyntaxNode): ColourRange[][] {
  const lines: ColourRange[][] = [[]]
  let at = 0
  const walk = (node: SyntaxNode, outer: SyntaxKind | null): void => {
    const kind = kindOf(node) ?? outer
    for (const child of node.children ?? []) walk(child, kind)
    if (node.type !== 'text') return
    for (const [index, text] of (node.value ?? '').split('\n').entries()) {
      if (index > 0) {
        lines.push([])
        at = 0
      }
      if (kind !== null && text !== '') lines.at(-1)!.push({ start: at, end: at + text.length, kind })
      at += text.length
    }
  }
  walk(root, null)
  return lines
}
