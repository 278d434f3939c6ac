import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Decision } from '../../../../src/agent/agent.ts'
import { useFormat } from '../../lib/format.ts'
import type { Answer, Approval, Question } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Choice } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { CitedText } from './cited.tsx'
import { QuestionCard } from './question.tsx'
import { type Call, chatsRead, type Part, withSources } from './turns.ts'
import { words } from './words.ts'

interface PartsProps {
  parts: Part[]
  running: boolean
  onDecide: (approval: Approval, decision: Decision) => Promise<void>
  onAnswer: (question: Question, answer: Answer) => Promise<void>
  /** Asks in other words from a request on. */
  onAsk: (requestId: string, message: string) => void
}

export function Parts({ parts, running, onDecide, onAnswer, onAsk }: PartsProps) {
  const say = useWords(words)
  return parts.map((part, at) => {
    const copy =
      part.kind === 'text' && !(running && at === parts.length - 1) ? (
        <CopyButton
          label={say.copyAnswer}
          text={() => withSources(parts, at, location.origin, say.sources)}
        />
      ) : null
    return (
      <PartView
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
        key={at}
        part={part}
        copy={copy}
        running={running}
        onDecide={onDecide}
        onAnswer={onAnswer}
        onAsk={running ? undefined : onAsk}
      />
    )
  })
}

interface PartProps {
  part: Part
  copy: ReactNode
  running: boolean
  onDecide: PartsProps['onDecide']
  onAnswer: PartsProps['onAnswer']
  onAsk: PartsProps['onAsk'] | undefined
}

function PartView({ part, copy, running, onDecide, onAnswer, onAsk }: PartProps) {
  const say = useWords(words)
  switch (part.kind) {
    case 'request':
      return <Request part={part} onAsk={onAsk} />
    case 'text':
      return (
        <article className="ask-answer" aria-label={say.agent}>
          <CitedText text={part.text} />
          {copy}
        </article>
      )
    case 'stopped':
      return <p className="faint">{say.cancelled}</p>
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
    case 'question':
      return <QuestionCard question={part.question} isOpen={running} onAnswer={onAnswer} />
    case 'notice':
      return (
        <p className="ask-notice">
          <Icon name="warning" />
          {part.text}
        </p>
      )
  }
}

/** What the person said; asked in other words, another chat goes on from there and this one stays. */
function Request({ part, onAsk }: { part: Part & { kind: 'request' }; onAsk: PartProps['onAsk'] }) {
  const say = useWords(words)
  const [draft, setDraft] = useState<string>()
  const { id, text, attachments = [] } = part
  if (draft !== undefined && id !== undefined)
    return (
      <form
        className="ask-edit"
        onSubmit={(event) => {
          event.preventDefault()
          setDraft(undefined)
          if (draft.trim() !== '') onAsk?.(id, draft.trim())
        }}
      >
        <textarea
          // biome-ignore lint/a11y/noAutofocus: it was opened to be written in
          autoFocus
          aria-label={say.edit}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(undefined)}
        />
        <Button onClick={() => setDraft(undefined)}>{say.keep}</Button>
        <Button look="primary" type="submit" disabled={draft.trim() === ''}>
          {say.askAgain}
        </Button>
      </form>
    )
  return (
    <div className="ask-asked">
      {id !== undefined && onAsk && (
        <Button look="quiet" onClick={() => setDraft(text)}>
          {say.edit}
        </Button>
      )}
      <article className="ask-request" aria-label={say.you}>
        {text}
        {attachments.length > 0 && (
          <ul className="ask-attached" aria-label={say.attached}>
            {attachments.map(({ name, mimeType }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name
              <li key={at}>
                <Icon name={mimeType.startsWith('image/') ? 'image' : 'file'} />
                {name}
              </li>
            ))}
          </ul>
        )}
      </article>
    </div>
  )
}

function ToolCard({ call: { tool, args, result, progress } }: { call: Call }) {
  const say = useWords(words)
  const { duration } = useFormat()
  const line = !result ? say.calling(tool) : result.success ? say.call(tool) : say.failedCall(tool)
  return (
    <Fold
      className="ask-tool"
      summary={
        <>
          <span className={result && !result.success ? 'ask-failed' : undefined}>{line}</span>
          {!result && progress && <span className="faint">{progress}</span>}
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
  const why = budgetIn(approval)
  const question = why ? `${why} ${say.spendMore}` : say.wants(approval.tool, approval.server)
  return (
    <section className="ask-approval" aria-label={question}>
      <h3>{question}</h3>
      {!why && <Code text={JSON.stringify(approval.args, null, 2) ?? ''} language="json" bare />}
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
          {!why && (
            <Choice
              label={say.forHow}
              value={remember}
              options={REMEMBER.map((value) => ({ value, label: say[value] }))}
              onChange={setRemember}
            />
          )}
        </div>
      )}
    </section>
  )
}

/** What is asked where the budget is spent: about no tool. */
function budgetIn({ tool, server, args }: Approval): string | undefined {
  if (tool !== 'spend_more' || server !== 'recollect') return undefined
  return typeof args === 'object' && args !== null && 'why' in args ? String(args.why) : undefined
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
        {chats.map(({ id, title, author }) => (
          <li key={id}>
            <Link href={`/chat/${encodeURIComponent(id)}`}>{title}</Link>
            {author && ` ${say.by(author)}`}
          </li>
        ))}
      </ul>
    </nav>
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
