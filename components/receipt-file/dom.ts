import { visiblePieces } from '@/lib/text/visible-pieces'

type Child = Node | string | null | false | undefined
type Props = Record<string, string | boolean | ((event: Event) => void) | undefined>

/** An element; a function is heard under its name, everything else is an attribute. Texts are texts: nothing here reads markup. */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (typeof value === 'string') element.setAttribute(name, value)
  }
  for (const child of children) if (child instanceof Node || typeof child === 'string') element.append(child)
  return element
}

/** Text that an agent wrote: what could not be seen is shown, and never obeyed. */
export function shown(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  for (const { text: piece, isMark, name } of visiblePieces(text)) {
    if (!isMark) fragment.append(piece)
    else if (name === undefined) fragment.append(h('span', { class: 'mark' }, piece))
    else
      fragment.append(
        h(
          'span',
          { class: 'mark' },
          h('span', { class: 'control', 'data-name': name }, piece[0]!),
          piece.slice(1),
        ),
      )
  }
  return fragment
}
