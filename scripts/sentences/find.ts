import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A sentence in the code of the product, with `…` for each value of a template. */
export interface Sentence {
  path: string
  /** Of the beginning of the text, 1-based. */
  line: number
  text: string
}

/** Code whose texts are not the product's own: tests, samples in the words of their producers, SQL, and the catalogues themselves. */
const ELSEWHERE =
  /[.](?:test|support|fixture)[.]tsx?$|\/testing\/|^lib\/(?:words|sample)\/|^db\/(?:migrations|seed)\//
const ROOMS = /^(?:app|cli|components|db|lib|server)\/.*[.]tsx?$/

const WORD = /(?<![\w-])[A-Za-z][a-z’']+(?=[ .,;:!?)]|$)/g
const WORDS_MIN = 4
const SQL =
  /\b(?:insert|select|delete from \w+ where|lock table|create table|alter table|case when|order by|is not null|jsonb_\w+|count\(|statement_timeout|pragma)\b|::\w|->>|\$\d|= '|&& |\bcopy .* from stdin|\w[.]\w+ as \w|\w[.]\w+, \w[.]\w+|\bjoin \w+ \w on\b|^isolation level\b/i
/** A regular expression that is put together as text. */
const PATTERN = /\(\?[:=!<]|\\[.]|\[\^|\w\|\w/
const CLASSES =
  /\b(?:flex|border|rounded|grid|shrink-0|text-\w+|p[xy]-\d|gap-\d|min-w|font-)|\w-\w[^.?!]* bg-|@media/
const DOCUMENTS = /^<!doctype/i

export const readSentences = (root: string, paths: readonly string[]): Sentence[] =>
  paths
    .filter((path) => ROOMS.test(path) && !ELSEWHERE.test(path))
    .flatMap((path) => findSentences(path, readFileSync(join(root, path), 'utf8')))

/**
 * String literals and templates with four words or more. Left out are SQL, lists of classes, labels in JSX, and the
 * descriptions of the HTTP contract.
 */
export function findSentences(path: string, code: string): Sentence[] {
  const file = ts.createSourceFile(
    path,
    code,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const found: Sentence[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return
    if (ts.isTaggedTemplateExpression(node) && /^sql\b|[.]sql$|^tx$/.test(node.tag.getText(file))) {
      if (ts.isTemplateExpression(node.template))
        for (const span of node.template.templateSpans) visit(span.expression)
      return
    }
    const text = textOf(node)
    if (
      text !== null &&
      isSentence(text) &&
      !isSearched(node) &&
      !isReason(node) &&
      !isLabel(node) &&
      !isDescription(node, path)
    )
      found.push({ path, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
  return null
}

const isSentence = (text: string): boolean =>
  (text.match(WORD) ?? []).length >= WORDS_MIN &&
  /\s/.test(text) &&
  !SQL.test(text) &&
  !PATTERN.test(text) &&
  !CLASSES.test(text) &&
  !DOCUMENTS.test(text)

/** Why a route checks no role: read in the code alone. */
const isReason = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAssignment(parent) && /^(?:own|public)$/.test(parent.name.getText())

/** Compared with what another program wrote, by itself or by its name, or a list of words that is split. */
function isSearched(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) {
    const uses = usesOf(parent.name)
    return uses.length > 0 && uses.every((use) => isSearched(use) || isAsked(use))
  }
  if (ts.isArrayLiteralExpression(parent))
    return isSearched(ts.isNewExpression(parent.parent) ? parent.parent : parent)
  if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true
  const outer = ts.findAncestor(
    parent,
    (at) => !ts.isBinaryExpression(at) && !ts.isParenthesizedExpression(at),
  )
  if (outer && ts.isPropertyAccessExpression(outer)) return outer.name.text === 'split'
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    /^(?:includes|startsWith|endsWith|indexOf)$/.test(parent.expression.name.text)
  )
}

/** A list or a set of phrases that only says whether one of them is there. */
const isAsked = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAccessExpression(parent) && /^(?:has|includes|some)$/.test(parent.name.text)

/** Where the file names a constant; one that other files may name has uses that are not seen, and counts as one. */
function usesOf(name: ts.Identifier): ts.Node[] {
  const statement = ts.findAncestor(name, ts.isVariableStatement)
  if (statement?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  const uses: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node !== name && node.text === name.text) uses.push(node)
    ts.forEachChild(node, visit)
  }
  visit(name.getSourceFile())
  return uses
}

/** In an attribute or the content of an element. What a handler in it says is none. */
function isLabel(node: ts.Node): boolean {
  for (let at = node.parent; at && !ts.isFunctionLike(at); at = at.parent)
    if (ts.isJsxAttribute(at) || ts.isJsxExpression(at)) return true
  return false
}

/** In `.describe(…)`, `.meta(…)` or a `description` or `summary` of `lib/api`. */
function isDescription(node: ts.Node, path: string): boolean {
  if (!path.startsWith('lib/api/')) return false
  for (let at = node.parent; at && !ts.isFunctionLike(at); at = at.parent) {
    if (ts.isPropertyAssignment(at) && /^(?:description|summary)$/.test(at.name.getText())) return true
    if (
      ts.isCallExpression(at) &&
      ts.isPropertyAccessExpression(at.expression) &&
      /^(?:describe|meta)$/.test(at.expression.name.text)
    )
      return true
  }
  return false
}
