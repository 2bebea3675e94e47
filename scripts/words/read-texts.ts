import ts from 'typescript'

/** A text that a person reads, where it is written. Inserted values are shown as `…`. */
export interface Text {
  path: string
  line: number
  text: string
}

/** What a person reads in a module or a page of documentation, in the order of the file. */
export function readTexts(path: string, content: string): Text[] {
  if (path.endsWith('.md')) return readPage(path, content)
  const file = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true)
  const found: Text[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)?.replace(/\s+/g, ' ').trim()
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
    if (text !== undefined && isRead(node, text)) found.push({ path, line, text })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Headings, list items, table cells and sentences of a page, without code blocks. Wrapped lines are joined. */
function readPage(path: string, content: string): Text[] {
  const found: Text[] = []
  let block: Text | undefined
  const close = () => {
    for (const text of block ? sentencesOf(block.text) : [])
      if (isWords(text)) found.push({ ...block!, text })
    block = undefined
  }
  let isCode = false
  for (const [index, source] of content.split('\n').entries()) {
    const line = source.trim()
    const isFence = /^(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    const isBlank = isFence || isCode || line === ''
    if (isBlank || BLOCK_START.test(line) || (block && /^[#|]/.test(block.text))) close()
    if (isBlank) continue
    block = block ? { ...block, text: `${block.text} ${line}` } : { path, line: index + 1, text: line }
  }
  close()
  return found
}

const BLOCK_START = /^(?:#+|[-*>]|\d+\.)\s|^\|/

function sentencesOf(block: string): string[] {
  if (block.startsWith('|')) return block.split('|').map((cell) => cell.trim())
  return block.replace(/^(?:#+|[-*>]|\d+\.)\s+/, '').split(/(?<=[.!?:]) (?=[A-Z`*[])/)
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
    return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  return undefined
}

/** JSX attributes whose value is shown or read aloud. */
const SHOWN = /^(?:aria-label|alt|title|label|placeholder|heading|hint|description|action|what|name)$/
/** A class of Tailwind; SQL. */
const CLASS =
  /(?:^|[\s:])(?:flex|grid|block|hidden|absolute|relative|sticky|fixed|truncate|border|rounded|sr-only|underline|shrink|(?:text|bg|p[xytrbl]?|-?m[xytrbl]?|gap|min|max|w|h|size|font|items|self|top|left|inset|z|leading|space|col|row|overflow|border|rounded|whitespace|hover|focus|data|group|tabular|justify)-[\w[])/
const SQL =
  /\b(?:select|insert into|update|delete from|where|order by|jsonb|coalesce|limit)\b.*(?:[=$()]|::|\bfrom\b|…)|\bnulls (?:first|last)\b/

function isRead(node: ts.Node, text: string): boolean {
  if (ts.isJsxText(node)) return /[A-Za-z]{2}/.test(text)
  const { parent } = node
  if (ts.isJsxAttribute(parent)) {
    const name = parent.name.getText()
    return SHOWN.test(name) && /[A-Z]/.test(text) ? /[A-Za-z]{2}/.test(text) : isWords(text) && !isCode(text)
  }
  if (
    ts.isExpressionStatement(parent) ||
    ts.isImportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isTaggedTemplateExpression(parent)
  )
    return false
  return isWords(text) && !isCode(text)
}

const isCode = (text: string) => CLASS.test(text) || SQL.test(text) || /^[#.[]|[{};]$|^--|=>/.test(text)

/** Two words or more, or one beside an inserted value. */
const isWords = (text: string) =>
  /[a-z]{2}/.test(text) && /(?:[A-Za-z]['’,;:.]?|…) +[“"(`*<[]*(?:[A-Za-z]|…)/.test(text)
