import type { ReactNode } from 'react'
import { useSourceName } from '../lib/overview.ts'
import { classes } from './classes.ts'

type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad'

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes('badge', `badge-${tone}`)}>{children}</span>
}

/** Which assistant it is from: two letters in its own colour, and its name unless there is no room. */
export function SourceBadge({ source, name, short }: { source: string; name?: string; short?: boolean }) {
  const nameOf = useSourceName()
  const full = name ?? nameOf(source)
  return (
    <span className="source" title={short ? full : undefined}>
      <span className={`source-sign source-${MARKS[source]?.colour ?? 'grey'}`} aria-hidden="true">
        {MARKS[source]?.letters ?? full.slice(0, 2)}
      </span>
      <span className={short ? 'visually-hidden' : 'source-name'}>{full}</span>
    </span>
  )
}

const MARKS: Record<string, { letters: string; colour: string }> = {
  'claude-code': { letters: 'Cl', colour: 'orange' },
  vscode: { letters: 'VS', colour: 'blue' },
  'copilot-cli': { letters: 'Co', colour: 'violet' },
  codex: { letters: 'Cx', colour: 'teal' },
  'gemini-cli': { letters: 'Ge', colour: 'sky' },
  opencode: { letters: 'Oc', colour: 'grey' },
  cursor: { letters: 'Cu', colour: 'slate' },
  chatwise: { letters: 'Cw', colour: 'pink' },
  cline: { letters: 'Ci', colour: 'green' },
  'roo-code': { letters: 'Ro', colour: 'green' },
  continue: { letters: 'Cn', colour: 'violet' },
  aider: { letters: 'Ai', colour: 'green' },
  zed: { letters: 'Ze', colour: 'blue' },
  goose: { letters: 'Go', colour: 'slate' },
  'lm-studio': { letters: 'LM', colour: 'violet' },
  chatgpt: { letters: 'GP', colour: 'teal' },
  claude: { letters: 'Cl', colour: 'orange' },
  recollect: { letters: 'Re', colour: 'accent' },
}
