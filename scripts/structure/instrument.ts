import ts from 'typescript'

/**
 * What the inserted calls call; the traced program defines it on `globalThis` before any module is loaded.
 */
export const ENTER = '__enterModule'

/**
 * The source with a call at the start of every function of it, which names the module by a number. Nothing
 * else changes: neither the line numbers nor what the functions do. Code that runs when the module is
 * loaded is not marked.
 */
export function instrument(source: string, fileName: string, moduleNumber: number): string {
  const call = `${ENTER}(${moduleNumber})`
  const insertions: { at: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const body = node.body as ts.Node
      if (ts.isBlock(body)) insertions.push({ at: body.getStart(file) + 1, text: `${call};` })
      else insertions.push({ at: body.getStart(file), text: `(${call},` }, { at: body.end, text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, false)
  visit(file)
  // From the end of the file, so that earlier places stay valid. An inner function is visited after the
  // outer one: at one place, where two bodies end together, either order closes the same brackets.
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source)
}
