import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { get } from '../../lib/api.ts'
import { chatApi, soughtIn, useUrlState } from '../../lib/route.ts'
import { showFound, wordsPattern } from '../../lib/show-found.ts'
import type { Found } from '../../lib/types.ts'

export interface Find {
  shown: boolean
  show: () => void
  hide: () => void
  /** What led here was a search: its words are marked as it took them. */
  isSearch: boolean
  text: string
  setText: (text: string) => void
  /** What is marked. */
  pattern: RegExp | undefined
  /** The messages found. */
  hits: Found['hits']
  /** Which of them is shown, from 1; 0 where there is none. */
  at: number
  /** Its index in the chat. */
  now: number | undefined
  step: (by: 1 | -1) => void
  /** The answer to what is typed is in. */
  done: boolean
}

const PAUSE_MS = 120
const NONE: Found = { hits: [], words: [] }

/** Looks for words in one chat: the server knows which messages hold them, loaded here or not. */
export function useFind(chat: string, goTo: (index: number) => void): Find {
  const { params, change } = useUrlState()
  const { q: searched, fuzzy, expand } = soughtIn(params)
  const [typing, setTyping] = useState(false)
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const isSearch = !typing && searched !== ''
  const q = typing ? asked : searched
  const sought = typing ? { q, as: 'letters' } : { q, as: 'search', fuzzy, expand }
  const found = useQuery({
    queryKey: ['chat', chat, 'find', sought],
    queryFn: ({ signal }) => get<Found>(chatApi(chat, 'find'), sought, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const { hits, words } = q === '' ? NONE : (found.data ?? NONE)
  const now = hits[at]?.index
  const go = (to: number) => {
    const hit = hits[to]
    if (!hit) return
    setAt(to)
    goTo(hit.index)
  }
  const begin = useEffectEvent(() => {
    const linked = Number(/^#m(\d+)$/.exec(location.hash)?.[1] ?? Number.NaN)
    const here = isSearch ? hits.findIndex(({ index }) => index === linked) : -1
    if (here >= 0) setAt(here)
    // What a link names is shown, whether the words are in it or not.
    else if (!isSearch || Number.isNaN(linked)) go(0)
    else
      setAt(
        Math.max(
          0,
          hits.findIndex(({ index }) => index >= linked),
        ),
      )
  })
  const isIn = found.isSuccess && !found.isPlaceholderData
  useEffect(() => {
    if (q !== '' && isIn) begin()
  }, [q, isIn])
  const pattern = useMemo(() => wordsPattern(words, isSearch), [words, isSearch])
  useEffect(() => {
    const list = document.querySelector('.messages-inside')
    return list && pattern ? showFound(list, pattern, now === undefined ? undefined : '.row-hit') : undefined
  }, [pattern, now])
  return {
    shown: typing || searched !== '',
    show: () => {
      if (!typing) setText(searched)
      setTyping(true)
    },
    hide: () => {
      setTyping(false)
      change({ q: '', fuzzy: '', expand: '' })
    },
    isSearch,
    text: typing ? text : searched,
    setText: (next) => {
      setTyping(true)
      setText(next)
    },
    pattern,
    hits,
    at: hits.length > 0 ? at + 1 : 0,
    now,
    step: (by) => go((at + by + hits.length) % Math.max(1, hits.length)),
    // What is asked follows what is typed by a pause: until then the answer is one to something else.
    done: (!typing || asked === text.trim()) && (q === '' || isIn),
  }
}
