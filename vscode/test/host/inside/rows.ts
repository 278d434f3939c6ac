import { call } from './recollect.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

export const ROWS = '.chat'
export const GROUPS = '.group'
/** What VS Code asks for at the top of the window. */
export const INPUT = '.quick-input-widget:visible input'
export const PICKS = '.quick-input-widget:visible .monaco-list-row'

/** The chats of the view as a screen reader tells them. */
export async function rows(): Promise<string[]> {
  return await inWindow.attributesInWebviews(ROWS, 'aria-label')
}

export async function groups(): Promise<string[]> {
  return await inWindow.attributesInWebviews(GROUPS, 'aria-label')
}

/** VS Code takes up to a minute to write down a dialog. */
export async function rowOf(title: string): Promise<string> {
  const found = async () => (await rows()).find((row) => row.includes(title))
  return await until(`${title} in the view`, found, 90_000)
}

/** A dialog of VS Code, as commands take it, once it is in the archive. */
export async function referenceOf(title: string): Promise<string> {
  const found = async () => {
    const { chats } = await call('list_chats', { source: 'vscode', title })
    return Array.isArray(chats) && chats.length === 1 && `vscode:${chats[0].chatId}`
  }
  return await until(`${title} in the archive`, found, 90_000)
}
