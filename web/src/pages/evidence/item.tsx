import { Link } from 'wouter'
import type { Evidence } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { words } from './words.ts'

const ICONS: Record<Evidence['kind'], IconName> = {
  file: 'context',
  command: 'terminal',
  link: 'link',
  web: 'language',
  citation: 'evidence',
  attachment: 'context',
  code: 'context',
}

/** One thing, how often it came up, and where. */
export function Item({ item }: { item: Evidence }) {
  const say = useWords(words)
  const { kind, value, title, actions, exitCode, failures = 0, count, where } = item
  return (
    <li className="evidence-item">
      <span className="evidence-icon" title={say[kind]}>
        <Icon name={ICONS[kind]} />
      </span>
      <div className="evidence-body">
        <Value item={item} />
        {title && title !== value && <p className="faint one-line">{title}</p>}
        <p className="evidence-facts">
          {actions?.map((action) => (
            <Badge key={action} tone={action === 'delete' ? 'bad' : 'plain'}>
              {isAction(action) ? say[action] : action}
            </Badge>
          ))}
          {exitCode !== undefined && (
            <Badge tone={exitCode === 0 ? 'good' : 'bad'}>{say.exit(exitCode)}</Badge>
          )}
          {failures > 0 && <Badge tone="bad">{say.failedTimes(failures)}</Badge>}
          {count > 1 && <span className="faint">{say.times(count)}</span>}
          {where.map(({ chatId, index, createdAt }) => (
            <Link key={`${chatId} ${index}`} href={`/chat/${encodeURIComponent(chatId)}#m${index}`}>
              {createdAt === null ? `#${index}` : <Time at={createdAt} />}
            </Link>
          ))}
        </p>
      </div>
      <CopyButton text={value} />
    </li>
  )
}

function Value({ item: { kind, value, language } }: { item: Evidence }) {
  if (kind === 'code') return <Code text={value} language={language} bare />
  if (/^https?:\/\//i.test(value)) {
    return (
      <a href={value} target="_blank" rel="noreferrer noopener" className="evidence-value">
        {value}
      </a>
    )
  }
  return <code className="evidence-value">{value}</code>
}

type Action = 'read' | 'edit' | 'create' | 'delete' | 'rename'

function isAction(action: string): action is Action {
  return ['read', 'edit', 'create', 'delete', 'rename'].includes(action)
}
