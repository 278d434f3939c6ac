import { useState } from 'react'
import { Link } from 'wouter'
import type { Decision } from '../../../../src/agent/agent.ts'
import { useFormat } from '../../lib/format.ts'
import type { Approval } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Choice } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { type Call, chatsRead, type Part } from './turns.ts'
import { words } from './words.ts'

interface PartsProps {
  parts: Part[]
  onDecide: (approval: Approval, decision: Decision) => Promise<void>
}

export function Parts({ parts, onDecide }: PartsProps) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
    <PartView key={at} part={part} onDecide={onDecide} />
  ))
}

function PartView({ part, onDecide }: { part: Part; onDecide: PartsProps['onDecide'] }) {
  const say = useWords(words)
  switch (part.kind) {
    case 'request':
      return (
        <article className="ask-request" aria-label={say.you}>
          {part.text}
        </article>
      )
    case 'text':
      return (
        <article className="ask-answer" aria-label={say.agent}>
          <Markdown text={withLinks(part.text)} />
        </article>
      )
    case 'thinking':
      return (
        <Fold className="ask-quiet" summary={say.thinking}>
          {() => <p className="ask-thinking">{part.text}</p>}
        </Fold>
      )
    case 'tool':
      return <ToolCard call={part.call} />
    case 'approval':
      return <ApprovalCard approval={part.approval} onDecide={onDecide} />
    case 'notice':
      return (
        <p className="ask-notice">
          <Icon name="warning" />
          {part.text}
        </p>
      )
  }
}

function ToolCard({ call: { tool, args, result } }: { call: Call }) {
  const say = useWords(words)
  const { duration } = useFormat()
  const line = !result ? say.calling(tool) : result.success ? say.call(tool) : say.failedCall(tool)
  return (
    <Fold
      className="ask-tool"
      summary={
        <>
          <span className={result && !result.success ? 'ask-failed' : undefined}>{line}</span>
          {result?.durationMs !== undefined && <span className="faint">{duration(result.durationMs)}</span>}
        </>
      }
    >
      {() => (
        <>
          <h3 className="ask-label">{say.arguments}</h3>
          <Code text={JSON.stringify(args, null, 2) ?? ''} language="json" bare />
          {result && (
            <>
              <h3 className="ask-label">{say.result}</h3>
              <Code text={readable(result.text)} language={isJson(result.text) ? 'json' : undefined} bare />
            </>
          )}
        </>
      )}
    </Fold>
  )
}

const REMEMBER = ['once', 'session', 'tool', 'server'] as const

function ApprovalCard({ approval, onDecide }: { approval: Approval; onDecide: PartsProps['onDecide'] }) {
  const say = useWords(words)
  const [remember, setRemember] = useState<NonNullable<Decision['remember']>>('once')
  const [busy, setBusy] = useState(false)
  const decide = (decision: Decision['decision']) => {
    setBusy(true)
    void onDecide(approval, { decision, remember }).finally(() => setBusy(false))
  }
  return (
    <section className="ask-approval" aria-label={say.wants(approval.tool, approval.server)}>
      <h3>{say.wants(approval.tool, approval.server)}</h3>
      <Code text={JSON.stringify(approval.args, null, 2) ?? ''} language="json" bare />
      {approval.decision ? (
        <Badge tone={approval.decision === 'allow' ? 'good' : 'bad'}>
          {approval.decision === 'allow' ? say.allowed : say.denied}
        </Badge>
      ) : (
        <div className="ask-approval-actions">
          <Button look="primary" disabled={busy} onClick={() => decide('allow')}>
            {say.allow}
          </Button>
          <Button disabled={busy} onClick={() => decide('deny')}>
            {say.deny}
          </Button>
          <Choice
            label={say.forHow}
            value={remember}
            options={REMEMBER.map((value) => ({ value, label: say[value] }))}
            onChange={setRemember}
          />
        </div>
      )}
    </section>
  )
}

/** The chats that the answer is based upon, as links into the reader; not the dialog itself. */
export function ChatsRead({ parts, besides }: { parts: Part[]; besides: string | undefined }) {
  const say = useWords(words)
  const chats = chatsRead(parts).filter(({ id }) => id !== besides)
  if (chats.length === 0) return null
  return (
    <nav className="ask-sources" aria-label={say.sources}>
      <h3 className="ask-label">{say.sources}</h3>
      <ul>
        {chats.map(({ id, title }) => (
          <li key={id}>
            <Link href={`/chat/${encodeURIComponent(id)}`}>{title}</Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Chats are cited as `context://sessions/<id>`; where that is not a link yet, it becomes one. */
function withLinks(text: string): string {
  return text.replace(
    /(?<!\]\(|[<\w])context:\/\/sessions\/([\w.:-]*\w)/g,
    (uri, id: string) => `[${id.slice(0, 8)}](${uri})`,
  )
}

function isJson(text: string): boolean {
  return /^[[{]/.test(text)
}

function readable(text: string): string {
  if (!isJson(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
