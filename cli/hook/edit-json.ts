import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import type { JSONPath, Node } from 'jsonc-parser'

/**
 * Single edits of a JSON text with comments that leave every other byte alone: the editor of `jsonc-parser` lays the
 * neighbours out anew. Paths must exist up to their last step.
 */
const nodeAt = (text: string, path: JSONPath): Node => {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, path)
  if (!node) throw new Error(`no value at /${path.join('/')}`)
  return node
}

const splice = (text: string, start: number, end: number, piece: string): string =>
  text.slice(0, start) + piece + text.slice(end)

/** Adds a property to the object, or an item to the list, that `path` names. */
export function addTo(text: string, path: JSONPath, key: string | null, value: unknown): string {
  const container = nodeAt(text, path)
  const last = container.children?.at(-1)
  const { unit, eol } = styleOf(text)
  const spread =
    text.slice(container.offset, container.offset + container.length).includes('\n') ||
    (!last && (path.length === 0 || text.includes('\n')))
  const colon = spread ? ': ' : ':'
  const name = key === null ? '' : `${JSON.stringify(key)}${colon}`
  if (!spread)
    return splice(
      text,
      last ? endOf(last) : container.offset + 1,
      last ? endOf(last) : container.offset + 1,
      `${last ? ',' : ''}${name}${JSON.stringify(value)}`,
    )
  const outer = last ? indentBefore(text, last.offset) : indentBefore(text, container.offset) + unit
  const piece = outer + name + JSON.stringify(value, null, unit).replaceAll('\n', eol + outer)
  if (last) return splice(text, endOf(last), endOf(last), `,${eol}${piece}`)
  return splice(
    text,
    container.offset + 1,
    endOf(container) - 1,
    `${eol}${piece}${eol}${indentBefore(text, container.offset)}`,
  )
}

/** Replaces the value at `path`. */
export function setAt(text: string, path: JSONPath, value: unknown): string {
  const node = nodeAt(text, path)
  return splice(text, node.offset, endOf(node), JSON.stringify(value))
}

/** Takes the property or item at `path` out, with the comma that it needed. */
export function removeAt(text: string, path: JSONPath): string {
  const value = nodeAt(text, path)
  const node = value.parent?.type === 'property' ? value.parent : value
  const container = node.parent!
  const siblings = container.children!
  const at = siblings.indexOf(node)
  if (at > 0) return splice(text, endOf(siblings[at - 1]!), endOf(node), '')
  if (siblings.length > 1) return splice(text, node.offset, siblings[1]!.offset, '')
  return splice(text, container.offset + 1, endOf(container) - 1, '')
}

const endOf = (node: Node): number => node.offset + node.length

/** White space at the start of the line that holds `offset`. */
function indentBefore(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)![0]
}

function styleOf(text: string): { unit: string; eol: string } {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' }
}
