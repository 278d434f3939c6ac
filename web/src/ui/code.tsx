import { memo, useEffect, useState } from 'react'
import { type CodeLine, highlight, highlighted } from '../lib/highlight.ts'
import { useWords } from '../lib/words.ts'
import { ansiPieces, hasAnsi, withoutAnsi } from './ansi.ts'
import { classes } from './classes.ts'
import { CopyButton } from './copy.tsx'
import { useFolding } from './long-lines.ts'
import { words } from './words.ts'
import './code.css'

interface CodeProps {
  text: string
  /** As written after the fence, or a file's ending. */
  language?: string
  /** What stands above it: a path, a command. */
  title?: string
  /** Without its own frame, inside something that has one. */
  bare?: boolean
}

const FOLDED_LINES = 60
const SHOWN_LINES = 40

/** A block of code: readable at once, coloured when the colours are ready, folded when it is long. */
export const Code = memo(function Code({ text, language, title, bare }: CodeProps) {
  const { showAll, showLess } = useWords(words)
  const lines = text.split('\n')
  const { folds, open, toggle } = useFolding(lines.length, FOLDED_LINES)
  const shown = open ? text : lines.slice(0, SHOWN_LINES).join('\n')
  const isTerminal = hasAnsi(shown)
  const coloured = useHighlight(shown, isTerminal ? undefined : language)
  return (
    <div className={classes('code', bare && 'code-bare')}>
      {bare ? (
        <CopyButton className="code-copy" text={() => withoutAnsi(text)} />
      ) : (
        <div className="code-head">
          <span className="code-title">{title ?? language}</span>
          <CopyButton text={() => withoutAnsi(text)} />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {isTerminal ? (
            <Ansi text={shown} />
          ) : coloured ? (
            <Lines lines={coloured} />
          ) : (
            <Plain text={shown} />
          )}
        </code>
      </pre>
      {folds && (
        <button type="button" className="code-more" onClick={toggle} aria-expanded={open}>
          {open ? showLess : showAll(lines.length)}
        </button>
      )}
    </div>
  )
})

/** So many lines are laid out together. */
const PART_LINES = 400

/** Of a long one, only the parts in sight are laid out. */
function Plain({ text }: { text: string }) {
  const lines = text.split('\n')
  if (lines.length <= 2 * PART_LINES) return text
  const parts = Array.from({ length: Math.ceil(lines.length / PART_LINES) }, (_, part) =>
    lines.slice(part * PART_LINES, (part + 1) * PART_LINES).join('\n'),
  )
  return parts.map((part, number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name, and none ever moves
    <span key={number} className="code-part">
      {part}
      {'\n'}
    </span>
  ))
}

/** As a terminal showed it. */
function Ansi({ text }: { text: string }) {
  return ansiPieces(text).map(([piece, look], number) =>
    look === undefined ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other name, and none ever moves
      <span key={number} className={look}>
        {piece}
      </span>
    ),
  )
}

function Lines({ lines }: { lines: CodeLine[] }) {
  return lines.map((line, number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name, and none ever moves
    <span key={number}>
      {line.map(([text, kind], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: likewise
        <span key={at} className={kind && `token-${kind}`}>
          {text}
        </span>
      ))}
      {number < lines.length - 1 && '\n'}
    </span>
  ))
}

function useHighlight(text: string, language: string | undefined): CodeLine[] | undefined {
  const [found, setFound] = useState<{ text: string; lines: CodeLine[] }>()
  const ready = language ? highlighted(text, language) : undefined
  useEffect(() => {
    if (!language || highlighted(text, language)) return
    let wanted = true
    void highlight(text, language).then((lines) => wanted && lines && setFound({ text, lines }))
    return () => {
      wanted = false
    }
  }, [text, language])
  return ready ?? (found?.text === text ? found.lines : undefined)
}
