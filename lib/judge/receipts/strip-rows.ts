import type { ChainTile } from './chain-tiles'

/** What is across the strip between two tiles. */
export type StripLine =
  | { kind: 'missing'; count: number }
  | { kind: 'dropped'; count: number | null }
  | { kind: 'rotation'; from: string | null; to: string | null; accepted: boolean }
  | { kind: 'unproven'; count: number }

export type StripRow =
  | { kind: 'tiles'; key: string; tiles: ChainTile[] }
  | { kind: 'line'; key: string; line: StripLine }

/** Tiles in rows of so many columns. A line ends its row, so that tiles before and behind it never stand side by side. */
export function stripRows(tiles: readonly ChainTile[], columns: number): StripRow[] {
  const rows: StripRow[] = []
  let open: ChainTile[] | null = null
  const draw = (line: StripLine, tile: ChainTile): void => {
    rows.push({ kind: 'line', key: `${line.kind} ${tile.brief.key}`, line })
    open = null
  }
  for (const tile of tiles) {
    const { brief, row } = tile
    if (row.sequenceIssue === 'gap') draw({ kind: 'missing', count: row.missing }, tile)
    if (brief.event === 'events_dropped' || brief.dropped !== null)
      draw({ kind: 'dropped', count: brief.dropped }, tile)
    if (open === null || open.length >= columns)
      rows.push({ kind: 'tiles', key: brief.key, tiles: (open = []) })
    open.push(tile)
    if (brief.rotation !== null)
      draw(
        {
          kind: 'rotation',
          ...brief.rotation,
          accepted: tile.marks.signature === 'ok' && row.rotationFault === null,
        },
        tile,
      )
    if (tile.isBreak && tile.index < tiles.length - 1)
      draw({ kind: 'unproven', count: tiles.length - 1 - tile.index }, tile)
  }
  return rows
}
