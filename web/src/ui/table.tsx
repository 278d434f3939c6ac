import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface TableProps<Row> {
  /** What it shows, for those who cannot see it. */
  caption: string
  columns: { name: string; cell: (row: Row) => ReactNode; number?: boolean; wide?: boolean }[]
  rows: Row[]
  keyOf: (row: Row) => string
}

/** A plain table. On a phone it scrolls sideways inside its own box. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="table-box" aria-label={caption} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ name, number, wide }) => (
              <th key={name} scope="col" className={classes(number && 'number', wide && 'wide')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, number, wide }) => (
                <td key={name} className={classes(number && 'number', wide && 'wide')}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
