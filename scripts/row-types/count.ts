import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Places at which rows are typed by something other than the schema. */
export interface RowTypes {
  /** Interfaces and type aliases that spell the type of a column again, as `path name`. */
  rowTypes: string[]
  /** Statements whose rows are typed by such a declaration, in place, or by a type from outside of `db`, as `path:line`. */
  casts: string[]
  /** Calls of `.unsafe`, as `path:line`. */
  unsafe: string[]
}

export interface Module {
  path: string
  text: string
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration

interface Declared {
  node: Declaration
  path: string
}

/** Takes columns from `db/schema`. */
const FROM_SCHEMA = /\b(?:RowOf|Selected)<|\$inferSelect/
export const readRowTypes = (root: string, paths: string[], columns: ReadonlySet<string>): RowTypes =>
  countRowTypes(
    paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
    columns,
  )

/** @param columns names of columns, as the database and as drizzle spells them */
export function countRowTypes(modules: Module[], columns: ReadonlySet<string>): RowTypes {
  const files = modules.map(({ path, text }) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  const everywhere = new Map(files.flatMap((file) => [...declarationsOf(file)]))
  const rowTypes = new Set<string>()
  const casts: string[] = []
  const unsafe: string[] = []
  for (const file of files) {
    const [own, imported] = [declarationsOf(file), importsOf(file)]
    const find = (name: string) => own.get(name) ?? (imported.has(name) ? everywhere.get(name) : undefined)
    const at = (node: ts.Node) =>
      `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    const visit = (node: ts.Node): void => {
      const row = rowTypeOf(node)
      const isForeign = (name: string) => imported.has(name)
      const search = {
        find,
        isForeign,
        columns,
        rowTypes,
        seen: new Set<ts.Node>(),
        statement: node.getText(),
      }
      if (row && isByHand(row, search)) casts.push(at(node))
      if (isUnsafe(node)) unsafe.push(at(node))
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return { rowTypes: [...rowTypes].sort(), casts, unsafe }
}

function declarationsOf(file: ts.SourceFile): Map<string, Declared> {
  const declared = new Map<string, Declared>()
  for (const node of file.statements)
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      declared.set(node.name.text, { node, path: file.fileName })
  return declared
}

function importsOf(file: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  for (const node of file.statements) {
    const named = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined
    if (named && ts.isNamedImports(named)) for (const { name } of named.elements) names.add(name.text)
  }
  return names
}

interface Search {
  find: (name: string) => Declared | undefined
  /** Imported, so that a name which is not found comes from outside of the modules. */
  isForeign: (name: string) => boolean
  columns: ReadonlySet<string>
  /** Filled with the declarations that are found to spell a column. */
  rowTypes: Set<string>
  seen: Set<ts.Node>
  /** The source text of the statement, to see what it computes. */
  statement: string
}

/** True where the type spells a column again, or comes from outside of the modules. */
function isByHand(node: ts.Node, search: Search): boolean {
  if (search.seen.has(node)) return false
  search.seen.add(node)
  if (ts.isPropertySignature(node))
    return isSpelled(node.name.getText(), search) && !FROM_SCHEMA.test(node.getText())
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
    const name = (ts.isTypeReferenceNode(node) ? node.typeName : node.expression).getText()
    if (FROM_SCHEMA.test(`${name}<`)) return false
    const picked = name === 'Pick' ? node.typeArguments?.[1] : undefined
    if (picked && namesOf(picked).every((column) => !isSpelled(column, search))) return false
    const declared = search.find(name)
    const own = declared ? isDeclaredByHand(declared, search) : search.isForeign(name)
    return (node.typeArguments ?? []).map((argument) => isByHand(argument, search)).includes(true) || own
  }
  let byHand = false
  ts.forEachChild(node, (child) => {
    byHand = isByHand(child, search) || byHand
  })
  return byHand
}

/** Names a column that the statement does not compute. */
const isSpelled = (name: string, { columns, statement }: Search): boolean =>
  columns.has(name) && !isComputed(name, statement)

const namesOf = (picked: ts.TypeNode): string[] =>
  [...picked.getText().matchAll(/'(\w+)'/g)].map(([, name]) => name!)

/** True where `… as name` follows more than the name of a column. */
function isComputed(name: string, statement: string): boolean {
  const before = new RegExp(`^(.*?)\\s+as\\s+"?${name}"?(?![\\w"])`, 's').exec(statement)?.[1]
  return (
    before !== undefined && !/(?:[,`]|\bselect|\breturning|\bon \([\w, ]*\))\s*(?:\w+\.)?\w+$/.test(before)
  )
}

function isDeclaredByHand({ node, path }: Declared, search: Search): boolean {
  const byHand = isByHand(node, search)
  if (byHand) search.rowTypes.add(`${path} ${node.name.text}`)
  return byHand
}

/** The row type that a statement is given: of a tagged template, of a typed call of `runText` or `.unsafe`, of a list, or by a cast of its answer. */
function rowTypeOf(node: ts.Node): ts.TypeNode | undefined {
  if (ts.isTaggedTemplateExpression(node) || isUnsafe(node) || isOfText(node)) return node.typeArguments?.[0]
  if (!ts.isAsExpression(node) || node.type.kind === ts.SyntaxKind.UnknownKeyword) return undefined
  return holdsUnsafe(node.expression) ? node.type : undefined
}

/** Of `db/statement-text.ts`. */
const isOfText = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && ['runText', 'computed'].includes(node.expression.getText())

const isUnsafe = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'unsafe'

function holdsUnsafe(node: ts.Expression): boolean {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node))
    return holdsUnsafe(node.expression)
  return isUnsafe(node)
}
