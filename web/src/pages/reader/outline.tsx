import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { chatPath } from '../../lib/route.ts'
import type { ChatDetails, Found, Relative } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { classes } from '../../ui/classes.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { words } from './words.ts'

interface OutlineProps {
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

/** The requests of a chat, one line each, and the chats it belongs with. */
export function Outline({ details, top, hits, onGo }: OutlineProps) {
  const w = useWords(words)
  const [filter, setFilter] = useState('')
  const sought = filter.trim().toLowerCase()
  const requests = useMemo(
    () => details.requests.filter(({ preview }) => preview.toLowerCase().includes(sought)),
    [details.requests, sought],
  )
  const here = requests.findLastIndex(({ index }) => index <= top)
  const hitsOf = useMemo(() => hitsByRequest(requests, hits), [requests, hits])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: requests.length,
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
      <h2>{w.requests(requests.length)}</h2>
      {details.requests.length > MANY && (
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
            const request = requests[at]
            return (
              request && (
                <li
                  key={key}
                  ref={virtual.measureElement}
                  data-index={at}
                  aria-setsize={requests.length}
                  aria-posinset={at + 1}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Request request={request} hits={hitsOf.get(at) ?? 0} isHere={at === here} onGo={onGo} />
                </li>
              )
            )
          })}
        </ol>
      </div>
    </nav>
  )
}

interface RequestProps {
  request: ChatDetails['requests'][number]
  hits: number
  isHere: boolean
  onGo: (index: number) => void
}

function Request({ request: { n, index, preview }, hits, isHere, onGo }: RequestProps) {
  const w = useWords(words)
  return (
    <a
      href={`#m${index}`}
      className={classes('outline-item', isHere && 'outline-here')}
      aria-current={isHere ? 'location' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.replaceState(history.state, '', `#m${index}`)
        onGo(index)
      }}
    >
      <span className="outline-number">{n}</span>
      <span className="outline-text">{preview}</span>
      {hits > 0 && (
        <span className="outline-hits" title={w.hits(hits)}>
          {hits}
          <span className="visually-hidden">{` ${w.hitsHere}`}</span>
        </span>
      )}
    </a>
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

/** How often the words are found from each request to the next, by the request's place. */
function hitsByRequest(requests: ChatDetails['requests'], hits: Found['hits']): Map<number, number> {
  const counts = new Map<number, number>()
  let at = 0
  for (const { index, count } of hits) {
    while (at + 1 < requests.length && (requests[at + 1]?.index ?? 0) <= index) at++
    counts.set(at, (counts.get(at) ?? 0) + count)
  }
  return counts
}
