import type { KeyboardEvent } from 'react'

/** Arrows step over the cells of a table that hold a button; at an edge the focus stays. The first cell of each row is its head. */
export function moveInGrid(event: KeyboardEvent<HTMLTableElement>): void {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
  const at = (event.target as HTMLElement).closest('td')
  if (!step || !at) return
  event.preventDefault()
  const grid = [...event.currentTarget.tBodies[0]!.rows].map((row) => [...row.cells].slice(1))
  let [row, column] = [grid.findIndex((cells) => cells.includes(at)), at.cellIndex - 1]
  for (;;) {
    row += step[0]!
    column += step[1]!
    const next = grid[row]?.[column]
    if (!next) return
    const button = next.querySelector('button')
    if (button) return button.focus()
  }
}
