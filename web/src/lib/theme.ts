import { shared } from './shared.ts'
import { recall, remember } from './stored.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [chosen.use(), choose]
}

/** Whether it is dark just now, for what cannot be said in CSS: canvases. */
export function useDark(): boolean {
  const theme = chosen.use()
  const isSystemDark = systemDark.use()
  return theme === 'system' ? isSystemDark : theme === 'dark'
}

const chosen = shared<Theme>(THEMES.find((theme) => theme === recall('theme')) ?? 'system')
const system = matchMedia('(prefers-color-scheme: dark)')
const systemDark = shared(system.matches)
system.addEventListener('change', ({ matches }) => systemDark.set(matches))

function choose(theme: Theme): void {
  remember('theme', theme === 'system' ? null : theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  chosen.set(theme)
}
