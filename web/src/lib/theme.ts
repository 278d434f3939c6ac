import { useSyncExternalStore } from 'react'
import { recall, remember } from './stored.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, () => chosen), choose]
}

/** Whether it is dark just now, for what cannot be said in CSS: canvases. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark)
}

const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
const stored = recall('theme')
let chosen: Theme = stored === 'light' || stored === 'dark' ? stored : 'system'

function choose(theme: Theme): void {
  chosen = theme
  remember('theme', theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const tell of listeners) tell()
}

function isDark(): boolean {
  return chosen === 'system' ? system.matches : chosen === 'dark'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}
