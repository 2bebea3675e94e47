/** Rows in columns, the first one to the left and the others to the right; the first row is the head. */
export function tableText(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String))
  const widths = texts[0]!.map((_, i) => Math.max(...texts.map((row) => row[i]!.length)))
  return texts
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
    )
    .join('\n')
}
