import type { ReactNode } from 'react'
import { saveCsv } from '../lib/save-csv.ts'
import { useWords } from '../lib/words.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { words } from './words.ts'

interface TableProps<Row> {
  /** What it shows, for those who cannot see it. */
  caption: string
  columns: {
    name: string
    cell: (row: Row) => ReactNode
    /** For a file, where that is not what is shown. */
    raw?: (row: Row) => string | number | null
    number?: boolean
    /** Not shown: for the file alone. */
    hidden?: true
    wide?: boolean
  }[]
  rows: Row[]
  keyOf: (row: Row) => string
  /** The name of the file it can be taken away as. */
  file?: string
}

/** A plain table. On a phone it scrolls sideways inside its own box. */
export function Table<Row>({ caption, columns, rows, keyOf, file }: TableProps<Row>) {
  const { csv } = useWords(words)
  const cells = () =>
    rows.map((row) =>
      columns.map(({ cell, raw }) => {
        const value = raw ? raw(row) : cell(row)
        return typeof value === 'string' || typeof value === 'number' ? value : ''
      }),
    )
  const shown = columns.filter(({ hidden }) => !hidden)
  const table = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="table-box" aria-label={caption} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {shown.map(({ name, number, wide }) => (
              <th key={name} scope="col" className={classes(number && 'number', wide && 'wide')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {shown.map(({ name, cell, number, wide }) => (
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
  if (!file || rows.length === 0) return table
  return (
    <>
      {table}
      <Button
        look="quiet"
        icon="download"
        className="table-csv"
        onClick={() => saveCsv(`recollect-${file}.csv`, [columns.map(({ name }) => name), ...cells()])}
      >
        {csv}
      </Button>
    </>
  )
}
