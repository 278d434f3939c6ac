import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { words } from './words.ts'

export interface Bar {
  key: string
  name: ReactNode
  value: number
  written: ReactNode
  /** Where its chats are. */
  to?: string
  /** How much of the bar is of another colour: what failed. */
  bad?: number
}

const SHOWN = 8

/** Bars beside their names, the longest as wide as there is room. */
export function Bars({ label, rows, all: whole = false }: { label: string; rows: Bar[]; all?: boolean }) {
  const say = useWords(words)
  const [all, setAll] = useState(whole)
  const most = Math.max(...rows.map(({ value }) => value), Number.MIN_VALUE)
  const shown = all ? rows : rows.slice(0, SHOWN)
  return (
    <>
      <ul className="dashboard-bars" aria-label={label}>
        {shown.map(({ key, name, value, written, to, bad = 0 }) => (
          <li key={key} className="dashboard-bar">
            <span className="dashboard-bar-name">{to ? <Link href={to}>{name}</Link> : name}</span>
            <span className="dashboard-bar-track" aria-hidden="true">
              <span className="dashboard-bar-fill" style={{ width: `${(100 * (value - bad)) / most}%` }} />
              <span className="dashboard-bar-bad" style={{ width: `${(100 * bad) / most}%` }} />
            </span>
            <span className="dashboard-bar-value">{written}</span>
          </li>
        ))}
      </ul>
      {rows.length > SHOWN && !all && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {say.rest(rows.length - SHOWN)}
        </Button>
      )}
    </>
  )
}
