import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { get } from '../../lib/api.ts'
import { chatApi } from '../../lib/route.ts'
import type { Found } from '../../lib/types.ts'
import { showFound } from './show-found.ts'

export interface Find {
  shown: boolean
  show: () => void
  hide: () => void
  text: string
  setText: (text: string) => void
  /** What is looked for, in small letters; empty while the box is closed. */
  words: string
  /** Which of the messages found is shown, from 1; 0 where there is none. */
  at: number
  count: number
  step: (by: 1 | -1) => void
  /** The answer is in. */
  done: boolean
}

const PAUSE_MS = 120

/** Looks for words in one chat: the server knows which messages hold them, loaded here or not. */
export function useFind(chat: string, goTo: (index: number) => void): Find {
  const [shown, setShown] = useState(false)
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const q = shown ? asked : ''
  const found = useQuery({
    queryKey: ['chat', chat, 'find', q],
    queryFn: ({ signal }) => get<Found>(chatApi(chat, 'find'), { q }, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const hits = q === '' ? [] : (found.data?.hits ?? [])
  const go = (to: number) => {
    const hit = hits[to]
    if (!hit) return
    setAt(to)
    goTo(hit.index)
  }
  const begin = useEffectEvent(() => go(0))
  const isIn = found.isSuccess && !found.isPlaceholderData
  useEffect(() => {
    if (q !== '' && isIn) begin()
  }, [q, isIn])
  const words = q.toLowerCase()
  useEffect(() => (words === '' ? undefined : showFound(words)), [words])
  return {
    shown,
    show: () => setShown(true),
    hide: () => setShown(false),
    text,
    setText,
    words,
    at: hits.length > 0 ? at + 1 : 0,
    count: hits.length,
    step: (by) => go((at + by + hits.length) % Math.max(1, hits.length)),
    done: q === '' || isIn,
  }
}
