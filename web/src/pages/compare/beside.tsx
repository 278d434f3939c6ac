import { type CSSProperties, useMemo } from 'react'
import type { SeveralChats } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Time } from '../../ui/time.tsx'
import { type ComparedMessage, type Passage, type Row, rowsOf } from './align.ts'
import { Message, type Meta } from './message.tsx'
import { words } from './words.ts'

/** So few messages are shown at once; more are folded away. */
const UNFOLDED = 3

/** A column for each chat; what they share stands on one level. */
export function Beside({ data, find }: { data: SeveralChats; find?: RegExp }) {
  const rows = useMemo(() => rowsOf(data), [data])
  const columns: CSSProperties = {
    gridTemplateColumns: `repeat(${data.meta.length}, minmax(min(20rem, 82vw), 1fr))`,
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="compare-scroll" tabIndex={0} aria-label={useWords(words).beside}>
      <div className="compare-grid" style={columns}>
        {data.meta.map((chat) => (
          <h2 key={chat.id} className="compare-head">
            <SourceBadge source={chat.source} short />
            <span className="one-line">{chat.title}</span>
            <Time at={chat.timeRange.from} as="date" />
          </h2>
        ))}
        {rows.map((row, at) => (
          <RowCells key={row.shared?.number ?? `end${at}`} row={row} data={data} find={find} />
        ))}
      </div>
    </section>
  )
}

function RowCells({ row: { before, shared }, data, find }: RowProps) {
  const say = useWords(words)
  const common = data.commonAlignment
  return (
    <>
      {before.some((messages) => messages.length > 0) &&
        before.map((messages, at) => (
          <div key={data.meta[at]?.id} className="compare-cell">
            <Stretch messages={messages} chat={data.meta[at]} common={common} find={find} />
          </div>
        ))}
      {shared?.messages.map((message, at) => (
        <div key={data.meta[at]?.id} className="compare-cell compare-shared">
          {message && (
            <>
              <span className="compare-number" title={say.passage(shared.number)}>
                {shared.number}
              </span>
              <Message message={message} chat={data.meta[at]} common={common} find={find} />
            </>
          )}
        </div>
      ))}
    </>
  )
}

interface RowProps {
  row: Row
  data: SeveralChats
  find?: RegExp
}

interface StretchProps {
  messages: ComparedMessage[]
  chat: Meta | undefined
  common?: Passage[]
  find?: RegExp
}

function Stretch({ messages, chat, common, find }: StretchProps) {
  const say = useWords(words)
  const said = messages.filter(({ role, content }) => role !== 'tool' && content !== '')
  const list = () =>
    said.map((message) => (
      <Message key={message.messageId} message={message} chat={chat} common={common} find={find} />
    ))
  if (said.length === 0) return null
  return said.length <= UNFOLDED ? (
    list()
  ) : (
    <Fold
      summary={say.before(said.length)}
      open={find && said.some(({ content }) => content.search(find) >= 0)}
    >
      {list}
    </Fold>
  )
}
