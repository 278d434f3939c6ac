import { type Cell, csvOf } from './csv.ts'

/** Hands it over as a download. The mark at its beginning tells Excel that it is UTF-8. */
export function saveCsv(name: string, rows: Cell[][]): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
