import { Link } from 'wouter'
import { chatPath } from '../../lib/route.ts'
import type { SeveralChats } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Inline } from '../../ui/inline.tsx'
import { Message, useRoleName } from './message.tsx'
import { words } from './words.ts'

interface ViewProps {
  data: SeveralChats
  find?: RegExp
}

/** The passages that stand in two or more of the chats, and where. */
export function Common({ data }: ViewProps) {
  const say = useWords(words)
  const roleName = useRoleName()
  const passages = data.commonAlignment ?? []
  if (passages.length === 0) return <p className="faint">{say.nothing}</p>
  return (
    <ol className="compare-list">
      {passages.map(({ role, content, refs }, at) => (
        <li key={`${refs[0]?.chatIdx} ${refs[0]?.index} ${content.slice(0, 40)}`} className="compare-passage">
          <span className="compare-number">{at + 1}</span>
          <div>
            <strong>{roleName(role)}</strong>
            <p className="compare-quote">
              <Inline text={content} />
            </p>
            <p className="compare-refs">
              {refs.map(({ chatIdx, index }) => (
                <PlaceLink key={`${chatIdx} ${index}`} data={data} chatIdx={chatIdx} index={index} />
              ))}
            </p>
          </div>
          <CopyButton text={content} />
        </li>
      ))}
    </ol>
  )
}

/** What only one of the chats has, chat by chat. */
export function Only({ data }: ViewProps) {
  const say = useWords(words)
  const roleName = useRoleName()
  return (
    <div className="compare-only">
      {data.meta.map(({ chatIdx, source, title }) => {
        const only = data.differences?.find((each) => each.chatIdx === chatIdx)?.only ?? []
        return (
          <section key={chatIdx} aria-label={title}>
            <h2 className="compare-head">
              <SourceBadge source={source} short />
              <span className="one-line">{title}</span>
            </h2>
            {only.length === 0 && <p className="faint">{say.nothingOnly}</p>}
            <ul className="compare-list">
              {only.map(({ index, role, content }) => (
                <li key={index} className={`compare-message compare-${role}`}>
                  <header>
                    <strong>{roleName(role)}</strong>
                    <PlaceLink data={data} chatIdx={chatIdx} index={index} short />
                  </header>
                  <p>
                    <Inline text={content} />
                  </p>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

/** All of them as one story. */
export function Together({ data, find }: ViewProps) {
  return (
    <ol className="compare-list">
      {data.narrative
        .filter(({ role, content }) => role !== 'tool' && content !== '')
        .map((message) => {
          const chat = data.meta.find(({ chatIdx }) => chatIdx === message.chatIdx)
          return (
            <li key={`${message.chatIdx} ${message.index}`} className="compare-told">
              {chat && <SourceBadge source={chat.source} short />}
              <Message message={message} chat={chat} find={find} />
            </li>
          )
        })}
    </ol>
  )
}

interface PlaceProps extends ViewProps {
  chatIdx: number
  index: number
  short?: boolean
}

function PlaceLink({ data, chatIdx, index, short }: PlaceProps) {
  const chat = data.meta.find((each) => each.chatIdx === chatIdx)
  if (!chat) return null
  return (
    <Link className="compare-place" href={chatPath(chat.source, chat.id, index)}>
      {!short && <SourceBadge source={chat.source} short />}
      {!short && <span className="one-line">{chat.title}</span>}#{index}
    </Link>
  )
}
