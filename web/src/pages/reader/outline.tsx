import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { chatPath } from '../../lib/route.ts'
import type { ChatDetails, Found, Relative } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { classes } from '../../ui/classes.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { hitsByLine, type Line, useTurns } from './use-turns.ts'
import { words } from './words.ts'

interface OutlineProps {
  id: string
  details: ChatDetails
  /** The first message in sight. */
  top: number
  /** Messages with the words that are looked for: marked at the request they belong to. */
  hits: Found['hits']
  onGo: (index: number) => void
}

const REST_MS = 120
/** More than one sees at once. */
const MANY = 12

/** The requests of a chat, one line each, on demand what was said in a long turn, and the chats it belongs with. */
export function Outline({ id, details, top, hits, onGo }: OutlineProps) {
  const w = useWords(words)
  const [filter, setFilter] = useState('')
  const sought = filter.trim().toLowerCase()
  const { lines: all, toggle } = useTurns(id, details)
  const lines = useMemo(
    () => (sought === '' ? all : all.filter(({ preview }) => preview.toLowerCase().includes(sought))),
    [all, sought],
  )
  const here = lines.findLastIndex(({ index }) => index <= top)
  const hitsOf = useMemo(() => hitsByLine(lines, hits), [lines, hits])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 46,
    overscan: 8,
    useFlushSync: false,
  })
  useEffect(() => {
    // Once the scrolling rests: following it all the way would slow it down.
    const timer = setTimeout(() => here >= 0 && virtual.scrollToIndex(here, { align: 'auto' }), REST_MS)
    return () => clearTimeout(timer)
  }, [here, virtual])
  return (
    <nav className="outline" aria-label={w.outline}>
      <Family details={details} />
      <h2>{w.requests(lines.filter(({ n }) => n !== undefined).length)}</h2>
      {all.length > MANY && (
        <input
          className="outline-filter"
          type="search"
          aria-label={w.filterRequests}
          placeholder={w.filterRequests}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <div ref={scroller} className="outline-list">
        <ol style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index: at, start }) => {
            const line = lines[at]
            return (
              line && (
                <li
                  key={key}
                  ref={virtual.measureElement}
                  data-index={at}
                  aria-setsize={lines.length}
                  aria-posinset={at + 1}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Entry line={line} hits={hitsOf.get(at) ?? 0} isHere={at === here} onGo={onGo} />
                  {line.turn && <Turn line={line} turn={line.turn} onToggle={() => toggle(line.index)} />}
                </li>
              )
            )
          })}
        </ol>
      </div>
    </nav>
  )
}

interface EntryProps {
  line: Line
  hits: number
  isHere: boolean
  onGo: (index: number) => void
}

function Entry({ line: { n, index, preview, turn }, hits, isHere, onGo }: EntryProps) {
  const w = useWords(words)
  return (
    <a
      href={`#m${index}`}
      className={classes('outline-item', !n && !turn && 'outline-step', isHere && 'outline-here')}
      aria-current={isHere ? 'location' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.replaceState(history.state, '', `#m${index}`)
        onGo(index)
      }}
    >
      {(n || turn) && <span className="outline-number">{n}</span>}
      <span className="outline-text">{preview || w.beginning}</span>
      {hits > 0 && (
        <span className="outline-hits" title={w.hits(hits)}>
          {hits}
          <span className="visually-hidden">{` ${w.hitsHere}`}</span>
        </span>
      )}
    </a>
  )
}

interface TurnProps {
  line: Line
  turn: NonNullable<Line['turn']>
  onToggle: () => void
}

/** Opens what was said in a long turn. */
function Turn({ line, turn: { messages, isOpen, isLoading }, onToggle }: TurnProps) {
  const w = useWords(words)
  return (
    <button
      type="button"
      className="outline-turn"
      aria-expanded={isOpen}
      aria-label={w.steps(messages, line.preview || w.beginning)}
      onClick={onToggle}
    >
      <Icon name={isOpen ? 'down' : 'right'} />
      {isLoading ? w.loadingSteps : w.messages(messages)}
    </button>
  )
}

/** Where it comes from and what came from it. */
function Family({ details }: { details: ChatDetails }) {
  const w = useWords(words)
  const { parent, original, subagents, forks } = details.relatives
  if (!parent && !original && subagents.length === 0 && forks.length === 0) return null
  return (
    <section className="family" aria-label={w.family}>
      {parent && <Kin title={w.parent} icon="up" chats={[parent]} />}
      {original && <Kin title={w.original} icon="fork" chats={[original]} />}
      {subagents.length > 0 && <Kin title={w.subagents} icon="agent" chats={subagents} />}
      {forks.length > 0 && <Kin title={w.forks} icon="fork" chats={forks} />}
    </section>
  )
}

function Kin({ title, icon, chats }: { title: string; icon: IconName; chats: Relative[] }) {
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {chats.map(({ id, source, title, messageCount }) => (
          <li key={id}>
            <Link className="outline-item" href={chatPath(source, id)} title={title}>
              <Icon name={icon} />
              <span className="outline-text">{title}</span>
              <span className="outline-number">{messageCount}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
