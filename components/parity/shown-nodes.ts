import type { ShownNode } from '@/lib/judge/parity/rendered'

/** Reads off the page what it shows: marked elements (`data-shows`, a pointer into the documents that the page holds), and the values of a JSON tree in `within`. */
export function shownNodes(within: Element | null): ShownNode[] {
  const marked = [...document.querySelectorAll<HTMLElement>('[data-shows]')].map((element) => ({
    pointer: element.dataset.shows!,
    text: element.textContent,
    ...(element.dataset.showsCut !== undefined && { isCut: true }),
  }))
  // Of a key that occurs twice the last counts, as for every reader of JSON.
  const tree = new Map<string, ShownNode>()
  for (const row of within?.querySelectorAll<HTMLElement>('[data-json-pointer]') ?? []) {
    const value = row.querySelector<HTMLElement>('[data-json-value]')
    if (value === null) continue
    const pointer = `/row${row.dataset.jsonPointer!}`
    tree.set(pointer, {
      pointer,
      text: value.textContent,
      ...(value.dataset.jsonCut !== undefined && { isCut: true }),
    })
  }
  return [...marked, ...tree.values()]
}
