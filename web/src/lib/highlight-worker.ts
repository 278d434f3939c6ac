import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { grammars } from './grammars.ts'
import type { Grammar } from './languages.ts'

export interface Job {
  id: number
  text: string
  grammar: Grammar
}

/** Pieces of a line, each with what it is: `keyword`, `string`, … */
export type CodeLine = [text: string, kind?: string][]

// Inline styles are against the page's security policy: the theme names kinds, which become classes.
const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--' })
const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

self.onmessage = async ({ data: { id, text, grammar } }: MessageEvent<Job>) => {
  self.postMessage({ id, lines: await linesOf(text, grammar).catch(() => undefined) })
}

async function linesOf(text: string, grammar: Grammar): Promise<CodeLine[]> {
  const ready = await highlighter
  if (!ready.getLoadedLanguages().includes(grammar)) await ready.loadLanguage(grammars[grammar])
  const lines = ready.codeToTokensBase(text, { lang: grammar, theme: 'kinds' })
  return lines.map((line) =>
    line.map(({ content, color }) => {
      const kind = /--token-([a-z-]+)/.exec(color ?? '')?.[1]
      return kind ? [content, kind] : [content]
    }),
  )
}
