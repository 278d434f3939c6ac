import type { ReactNode } from 'react'
import { useOverview, useSourceName } from '../lib/overview.ts'
import { classes } from './classes.ts'

type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad'

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes('badge', `badge-${tone}`)}>{children}</span>
}

/** Which assistant it is from: two letters in its own colour, and its name unless there is no room. */
export function SourceBadge({ source, name, short }: { source: string; name?: string; short?: boolean }) {
  const nameOf = useSourceName()
  const full = name ?? nameOf(source)
  const { letters = full.slice(0, 2), colour = 'grey' } = useOverview()?.badges[source] ?? {}
  return (
    <span className="source" title={short ? full : undefined}>
      <span className={`source-sign source-${colour}`} aria-hidden="true">
        {letters}
      </span>
      <span className={short ? 'visually-hidden' : 'source-name'}>{full}</span>
    </span>
  )
}
