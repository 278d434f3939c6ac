import { memo, useContext } from 'react'
import { useReveal } from '../../lib/reveal.ts'
import type { ShownMessage } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Code } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { AuthorContext } from '../../ui/origin.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, trying } from '../../ui/toast.tsx'
import { Attachments, Citations, Files } from './beside.tsx'
import { ChatContext } from './picture.tsx'
import { ToolCard } from './tool-card.tsx'
import type { HeldResult } from './use-messages.ts'
import { wholeMessage } from './whole-message.ts'
import { words } from './words.ts'

interface MessageProps {
  message: ShownMessage
  /** What the message before is, so that an answer in many parts has one heading. */
  isFirst: boolean
  /** Its number among the requests. */
  request?: number
  resultOf: (callId: string) => HeldResult | undefined
  folder?: string
  /** What is being looked for: folded parts that hold it open. */
  find: RegExp | undefined
  allOpen: boolean
  /** Only what was said in it. */
  isFocused?: boolean
  /** It begins or ends what is to be copied. */
  onPick?: (index: number) => void
  onWhole: (index: number) => void
}

/** One message, as what it is: a request, an answer, a remark. */
export const Message = memo(function Message(props: MessageProps) {
  const w = useWords(words)
  const { message, isFirst, request, onPick, onWhole } = props
  const { kind, undone, copy, outcome, cut } = message
  const chat = useContext(ChatContext)
  const reveal = useReveal()
  const wholeText = async () => (await wholeMessage(chat, message.index, reveal)).text
  const copyLink = async () => {
    history.replaceState(history.state, '', `#m${message.index}`)
    await navigator.clipboard.writeText(location.href)
    toast(w.linkCopied)
  }
  return (
    <article className={classes('message', `message-${kind}`, undone && 'message-undone')}>
      {(isFirst || undone || copy || outcome) && (
        <header className="message-head">
          {isFirst && <Speaker message={message} request={request} />}
          {undone && <Badge tone="warn">{w.undone}</Badge>}
          {copy && <Badge>{w.copyOf}</Badge>}
          {outcome && <Badge tone="bad">{w[outcome]}</Badge>}
        </header>
      )}
      <div className="message-tools">
        {message.text !== '' && (
          <CopyButton
            text={cut ? wholeText : message.text}
            label={kind === 'request' ? w.copyRequest : w.copyText}
          />
        )}
        {onPick && <IconButton icon="pick" label={w.pick} onClick={() => onPick(message.index)} />}
        <IconButton icon="link" label={w.copyLink} onClick={() => trying(copyLink)} />
      </div>
      <Content {...props} />
      {cut && (
        <button type="button" className="message-whole" onClick={() => onWhole(message.index)}>
          {w.showWhole}
        </button>
      )}
    </article>
  )
})

function Speaker({ message, request }: { message: ShownMessage; request?: number }) {
  const w = useWords(words)
  const { kind, model, createdAt } = message
  const author = useContext(AuthorContext)
  const name =
    kind === 'request' ? (author ?? w.you) : kind === 'delegated' ? w.delegated : (model ?? w.assistant)
  return (
    <>
      <h2 className="message-speaker">{name}</h2>
      <span className="message-number" title={request === undefined ? undefined : w.requestNumber(request)}>
        #{message.index}
      </span>
      <span className="message-time">
        <Time at={createdAt} as="clock" />
      </span>
    </>
  )
}

function Content({ message, resultOf, folder, find, allOpen, isFocused, onWhole }: MessageProps) {
  const w = useWords(words)
  const { kind, text, thinking, toolCalls, toolResults, attachments, citations, files } = message
  const holds = (inside: unknown) => find !== undefined && isIn(find, inside)
  if (kind === 'summary' || kind === 'command' || kind === 'injected')
    return (
      <Fold
        className="quiet"
        open={allOpen || holds(text)}
        summary={
          <span className="quiet-line">{kind === 'summary' ? w.summary : firstLine(text) || w.command}</span>
        }
      >
        {() => (kind === 'summary' ? <Markdown text={text} /> : <Code bare text={text} />)}
      </Fold>
    )
  if (kind === 'notice') return <p className="notice">{text}</p>
  if (isFocused)
    return (
      <>
        <Markdown text={text} />
        {attachments && attachments.length > 0 && (
          <Attachments attachments={attachments} at={message.index} />
        )}
      </>
    )
  const known = new Set(toolCalls?.map(({ id }) => id))
  return (
    <>
      {thinking && (
        <Fold
          className="quiet"
          open={allOpen || holds(thinking)}
          summary={
            <>
              <span className="quiet-label">{w.thinking}</span>
              <span className="quiet-line">{firstLine(thinking)}</span>
            </>
          }
        >
          {() => (
            <div className="thinking">
              <Markdown text={thinking} />
            </div>
          )}
        </Fold>
      )}
      {text !== '' && <Markdown text={text} />}
      {attachments && attachments.length > 0 && <Attachments attachments={attachments} at={message.index} />}
      {toolCalls?.map((call) => {
        const own = toolResults?.find(({ callId }) => callId === call.id)
        const result = resultOf(call.id) ?? (own && { ...own, at: message.index })
        return (
          <ToolCard
            key={call.id}
            call={call}
            result={result}
            folder={folder}
            open={allOpen || holds(call.args) || holds(result)}
            onWhole={onWhole}
          />
        )
      })}
      {toolResults
        ?.filter(({ callId }) => !known.has(callId))
        .map((result) => (
          <ToolCard
            key={result.callId}
            result={{ ...result, at: message.index }}
            folder={folder}
            open={allOpen || holds(result)}
            onWhole={onWhole}
          />
        ))}
      {files && files.length > 0 && !toolCalls?.length && kind !== 'tool' && (
        <Files files={files} folder={folder} />
      )}
      {citations && citations.length > 0 && <Citations citations={citations} />}
    </>
  )
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? ''
}

function isIn(sought: RegExp, value: unknown): boolean {
  if (typeof value === 'string') return value.search(sought) >= 0
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((each) => isIn(sought, each))
  )
}
