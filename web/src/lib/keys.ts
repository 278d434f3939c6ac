import { useEffect, useEffectEvent } from 'react'

type Keys = Record<string, (event: KeyboardEvent) => void>

/**
 * Keys that work anywhere on the page: `j`, `?`, `esc`, `shift+g`, `mod+f` (Ctrl, or Cmd on a Mac). Plain
 * characters are left alone while somebody types, and everything while a dialog or a menu is open.
 */
export function useKeys(keys: Keys, on = true): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const target = event.target instanceof Element ? event.target : document.body
    if (document.querySelector('dialog[open], :popover-open')) return
    const mod = event.ctrlKey || event.metaKey
    if (!mod && event.key !== 'Escape' && isTyping(target)) return
    const act = keys[nameOf(event)]
    if (!act) return
    event.preventDefault()
    act(event)
  })
  useEffect(() => {
    if (!on) return
    const listener = (event: KeyboardEvent) => pressed(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [on])
}

function nameOf({ key, ctrlKey, metaKey }: KeyboardEvent): string {
  if (key === 'Escape') return 'esc'
  if (ctrlKey || metaKey) return `mod+${key.toLowerCase()}`
  return key.toLowerCase() === key ? key : `shift+${key.toLowerCase()}`
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

function isTyping(target: Element): boolean {
  return (
    target.closest('input:not([type=checkbox],[type=radio]), textarea, select, [contenteditable]') !== null
  )
}
