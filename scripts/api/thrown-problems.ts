import { existsSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** What every handler is wrapped in; what that answers holds for all of them and is not looked for here. */
const WRAPPER = 'defineRoute'

/**
 * The problems that route handlers throw, read from the source: from each handler along every name it uses, to every `new Refusal('…')`.
 *
 * @param root folder that holds `app/`; names are followed within it only
 * @param files route modules below `app/`
 * @returns slugs by method and file, such as `GET app/api/v1/keys/route.ts`
 */
export function thrownProblems(root: string, files: readonly string[]): Map<string, Set<string>> {
  const program = ts.createProgram({
    rootNames: files.map((file) => path.join(root, file)),
    options: { noLib: true, types: [], target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
    host: hostOf(root),
  })
  const checker = program.getTypeChecker()
  const found = new Map<string, Set<string>>()
  for (const file of files) {
    const source = program.getSourceFile(path.join(root, file))
    const module = source && checker.getSymbolAtLocation(source)
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      if (!METHODS.has(symbol.name)) continue
      const slugs = new Set<string>()
      follow(symbol, checker, slugs, new Set())
      found.set(`${symbol.name} ${file}`, slugs)
    }
  }
  return found
}

function follow(symbol: ts.Symbol, checker: ts.TypeChecker, slugs: Set<string>, seen: Set<ts.Symbol>): void {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  if (seen.has(target) || target.name === WRAPPER) return
  seen.add(target)
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isNewExpression(node) && node.expression.getText() === 'Refusal') {
      const given = slugsIn(node.arguments?.[0])
      if (given.length === 0)
        throw new Error(
          `${node.getSourceFile().fileName}: the slug of a refusal must stand there: ${node.getText()}`,
        )
      for (const slug of given) slugs.add(slug)
    }
    if (ts.isIdentifier(node)) {
      const used = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node)
      if (used) follow(used, checker, slugs, seen)
    }
    ts.forEachChild(node, visit)
  }
  for (const declaration of target.declarations ?? [])
    if (
      !ts.isTypeAliasDeclaration(declaration) &&
      !ts.isInterfaceDeclaration(declaration) &&
      !ts.isSourceFile(declaration)
    )
      ts.forEachChild(declaration, visit)
}

/** `'a'`, and both of `x ? 'a' : 'b'`. */
function slugsIn(node: ts.Expression | undefined): string[] {
  if (node === undefined) return []
  if (ts.isStringLiteral(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...slugsIn(node.whenTrue), ...slugsIn(node.whenFalse)]
  return []
}

/** Reads only what is in `app/`: refusals are made nowhere else, and the rest would take seconds. */
function hostOf(root: string): ts.CompilerHost {
  const host = ts.createCompilerHost({})
  const fileOf = (name: string, from: string): string | null => {
    const base = name.startsWith('@/') ? path.join(root, name.slice(2)) : path.join(path.dirname(from), name)
    const file = [`${base}.ts`, `${base}.tsx`].find((one) => existsSync(one))
    return file?.startsWith(path.join(root, 'app/')) ? file : null
  }
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => {
      const file = /^(@\/|\.)/.test(text) ? fileOf(text, from) : null
      return {
        resolvedModule: file === null ? undefined : { resolvedFileName: file, extension: path.extname(file) },
      }
    })
  return host
}
