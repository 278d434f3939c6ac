export type Cell = string | number

/** Rows as programs for tables read them. What such a program would take for a formula is text. */
export function csvOf(rows: Cell[][]): string {
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')
}

function written(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
