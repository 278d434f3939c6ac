import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { answers } from '../../lib/answers.ts'
import { get, Problem } from '../../lib/api.ts'
import { useKeys } from '../../lib/keys.ts'
import { useLive } from '../../lib/live.ts'
import { setReveal, useReveal } from '../../lib/reveal.ts'
import { chatApi, useChatInPath, useUrlState } from '../../lib/route.ts'
import type { ChatDetails } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { classes } from '../../ui/classes.ts'
import { AuthorContext } from '../../ui/origin.tsx'
import { useTitle } from '../../ui/page.tsx'
import { Empty, ErrorBox } from '../../ui/states.tsx'
import { FindBox } from './find-box.tsx'
import { Head } from './head.tsx'
import { MessageList, type MessageListHandle, type Range } from './message-list.tsx'
import { Outline } from './outline.tsx'
import { ChatContext } from './picture.tsx'
import { usePrint } from './print.tsx'
import { RangeBar } from './range-bar.tsx'
import { useFind } from './use-find.ts'
import { words } from './words.ts'
import './message.css'
import './tools.css'
import './outline.css'
import './reader.css'
import './print.css'

export default function Reader() {
  const id = useChatInPath()
  return <Chat key={id} id={id} />
}

/** One chat, to be read. */
function Chat({ id }: { id: string }) {
  const w = useWords(words)
  const details = useQuery({
    queryKey: ['chat', id],
    queryFn: ({ signal }) => get<ChatDetails>(chatApi(id), undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useTitle(details.data?.chat.title)
  const refresh = () => void answers.invalidateQueries({ queryKey: ['chat', id] })
  const changed = (now: unknown) => {
    const known = answers.getQueryData<ChatDetails>(['chat', id])?.chat
    if (!known || !isState(now)) return
    // The first one tells how things stand, which is mostly as they stand here.
    if (STATE.some((name) => now[name] !== known[name])) refresh()
  }
  useLive(details.data && chatApi(id, 'live'), { changed }, refresh)
  if (details.error instanceof Problem && details.error.status === 404)
    return (
      <Empty
        whole
        icon="search"
        title={w.notThere}
        actions={
          <Link className="button button-plain" href="/">
            {w.toSearch}
          </Link>
        }
      >
        {w.notThereText}
      </Empty>
    )
  if (details.error) return <ErrorBox error={details.error} retry={() => void details.refetch()} />
  return <div className="reader">{details.data && <Open id={id} details={details.data} />}</div>
}

/** What is told of a chat when it changes. */
const STATE = ['messageCount', 'updatedAt', 'status', 'title', 'pinned'] as const

function isState(told: unknown): told is Pick<ChatDetails['chat'], (typeof STATE)[number]> {
  return typeof told === 'object' && told !== null && 'messageCount' in told
}

const wide = matchMedia('(min-width: 1100px)')

function Open({ id, details }: { id: string; details: ChatDetails }) {
  const list = useRef<MessageListHandle>(null)
  const reveal = useReveal()
  const [allOpen, setAllOpen] = useState(false)
  const [outlineShown, setOutlineShown] = useState(wide.matches)
  const [top, setTop] = useState(0)
  const { params, change } = useUrlState()
  const focus = params.get('view') === 'focus' ? details.focus : undefined
  const toggleFocus = () => {
    const here = list.current?.top() ?? 0
    change({ view: focus ? '' : 'focus' })
    list.current?.goTo(here)
  }
  const [range, setRange] = useState<Range>()
  const pick = useCallback(
    (index: number) =>
      setRange((before) =>
        before === undefined || (before.from === index && before.to === index)
          ? { from: index, to: index }
          : { from: Math.min(before.from, index), to: Math.max(before.from, index) },
      ),
    [],
  )
  const { print, sheet } = usePrint(id, details, focus)
  const find = useFind(id, (index) => list.current?.goTo(index))

  useEffect(() => {
    const toHash = () => {
      const index = /^#m(\d+)$/.exec(location.hash)?.[1]
      if (index !== undefined) list.current?.goTo(Number(index))
    }
    toHash()
    addEventListener('hashchange', toHash)
    return () => removeEventListener('hashchange', toHash)
  }, [])

  const toRequest = (step: 1 | -1) => {
    const here = list.current?.top() ?? 0
    const others = details.requests.filter(({ index }) => (step > 0 ? index > here : index < here))
    const next = others.at(step > 0 ? 0 : -1)
    if (next) list.current?.goTo(next.index)
  }
  useKeys({
    j: () => toRequest(1),
    k: () => toRequest(-1),
    g: () => list.current?.goTo(0),
    'shift+g': () => list.current?.goTo(details.chat.messageCount - 1),
    f: find.show,
    'mod+f': find.show,
    o: () => setOutlineShown(!outlineShown),
    e: () => setAllOpen(!allOpen),
    v: toggleFocus,
    'mod+p': print,
    n: () => find.step(1),
    'shift+n': () => find.step(-1),
    // From a search one goes back to it.
    esc: () => (find.shown && !find.isSearch ? find.hide() : history.length > 1 && history.back()),
  })
  return (
    <>
      <Head
        id={id}
        details={details}
        reveal={reveal}
        onReveal={() => setReveal(!reveal)}
        onFind={find.show}
        isFocused={focus !== undefined}
        onFocus={toggleFocus}
        onPrint={print}
        outlineShown={outlineShown}
        onOutline={() => setOutlineShown(!outlineShown)}
      />
      <div className={classes('reader-body', outlineShown && 'reader-outlined')}>
        <AuthorContext value={details.chat.author}>
          <ChatContext value={id}>
            <MessageList
              ref={list}
              chat={id}
              details={details}
              reveal={reveal}
              find={find.pattern}
              findNow={find.now}
              opensAll={!find.isSearch}
              allOpen={allOpen}
              focus={focus}
              range={range}
              onPick={pick}
              onTop={setTop}
            />
          </ChatContext>
        </AuthorContext>
        {outlineShown && (
          <Outline
            id={id}
            details={details}
            top={top}
            hits={find.hits}
            onGo={(index) => {
              list.current?.goTo(index)
              if (!wide.matches) setOutlineShown(false)
            }}
          />
        )}
        {find.shown && <FindBox find={find} />}
        {range && <RangeBar chat={id} range={range} onClear={() => setRange(undefined)} />}
        <ChatContext value={id}>{sheet}</ChatContext>
      </div>
    </>
  )
}
