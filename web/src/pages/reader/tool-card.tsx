import { memo } from 'react'
import { useFormat } from '../../lib/format.ts'
import type { ToolCall } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { withoutAnsi } from '../../ui/ansi.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Diff } from '../../ui/diff/diff.tsx'
import { countsOf, isPatch, patchLines } from '../../ui/diff/diff-lines.ts'
import { Fold } from '../../ui/fold.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Attachments } from './beside.tsx'
import { type ToolView, viewOf } from './tool-view.ts'
import type { HeldResult } from './use-messages.ts'
import { words } from './words.ts'

interface ToolCardProps {
  /** Missing where only the result was recorded. */
  call?: ToolCall
  result?: HeldResult
  /** Cut off the front of paths: the chat's own folder. */
  folder?: string
  open: boolean
  onWhole: (index: number) => void
}

/** From here on it is said how much a tool gave. */
const LARGE = 4_000
/** A change this small is shown at once. */
const SMALL_DIFF = 14

/** What an assistant had a tool do. */
export const ToolCard = memo(function ToolCard({ call, result, folder, open, onWhole }: ToolCardProps) {
  const w = useWords(words)
  const view = viewOf(call?.args)
  const failed = result?.error !== undefined || (result?.exitCode ?? 0) !== 0
  const isSmall = view.diff !== undefined && view.diff.length <= SMALL_DIFF
  return (
    <Fold
      className="tool"
      open={open || isSmall}
      summary={<Summary call={call} result={result} view={view} folder={folder} failed={failed} />}
    >
      {() => (
        <>
          {view.diff && <Diff lines={view.diff} />}
          {view.prose && <Prose text={view.prose} />}
          {view.code && <Code bare text={view.code.text} language={view.code.language} />}
          {view.rest && <Code bare text={JSON.stringify(view.rest, null, 2)} language="json" />}
          <div className="tool-result">
            {result ? (
              <Result result={result} view={view} onWhole={onWhole} />
            ) : (
              <p className="faint tool-none">{w.noResult}</p>
            )}
          </div>
        </>
      )}
    </Fold>
  )
})

interface SummaryProps {
  call?: ToolCall
  result?: HeldResult
  view: ToolView
  folder?: string
  failed: boolean
}

function Summary({ call, result, view, folder, failed }: SummaryProps) {
  const w = useWords(words)
  const format = useFormat()
  const size = result?.chars ?? result?.text?.length ?? 0
  const counts = view.diff && countsOf(view.diff)
  const name = call ? (call.server ? `${call.server} · ${call.tool}` : call.tool) : w.result
  return (
    <>
      <Icon name={view.code?.language === 'bash' ? 'terminal' : view.path ? 'file' : 'tool'} />
      <span className="tool-name">{name}</span>
      <span className="tool-about" title={view.summary}>
        {shortened(view.summary, folder)}
      </span>
      {counts && (
        <span className="tool-counts">
          <span className="tool-added">+{counts.added}</span>{' '}
          <span className="tool-removed">−{counts.removed}</span>
        </span>
      )}
      {failed && (
        <Badge tone="bad">
          {result?.exitCode !== undefined && result.error === undefined ? w.exit(result.exitCode) : w.failed}
        </Badge>
      )}
      {size >= LARGE && <span className="tool-time">{format.bytes(size)}</span>}
      {result?.durationMs !== undefined && (
        <span className="tool-time">{format.duration(result.durationMs)}</span>
      )}
    </>
  )
}

interface ResultProps {
  result: HeldResult
  view: ToolView
  onWhole: (index: number) => void
}

function Result({ result, view, onWhole }: ResultProps) {
  const w = useWords(words)
  const path = view.diff || view.code ? undefined : view.path
  const format = useFormat()
  const text = result.text ?? ''
  const plain = withoutAnsi(text)
  return (
    <>
      {result.own && <p className="faint tool-none">{w.own}</p>}
      {result.error && <pre className="tool-error">{result.error}</pre>}
      {text !== '' &&
        (view.prose ? (
          <Prose text={text} />
        ) : isPatch(plain) ? (
          <Diff lines={patchLines(plain)} />
        ) : (
          <Code bare text={text} language={languageIn(text, path)} />
        ))}
      {result.chars !== undefined && (
        <button type="button" className="message-whole" onClick={() => onWhole(result.at)}>
          {w.showWholeOf(format.bytes(result.chars))}
        </button>
      )}
      {result.attachments && <Attachments attachments={result.attachments} at={result.at} />}
      {result.json !== undefined && <Code bare text={JSON.stringify(result.json, null, 2)} language="json" />}
    </>
  )
}

function Prose({ text }: { text: string }) {
  return (
    <div className="tool-prose">
      <Markdown text={text} />
    </div>
  )
}

/** Files are mostly given back with line numbers, which no grammar knows. */
function languageIn(text: string, path: string | undefined): string | undefined {
  if (/^\s*[[{]/.test(text) && /[\]}]\s*$/.test(text)) return 'json'
  return path === undefined ? undefined : /^\s*\d+[→\t:.|]/.test(text) ? undefined : path.split('.').at(-1)
}

function shortened(summary: string, folder: string | undefined): string {
  return folder && summary.startsWith(`${folder}/`) ? summary.slice(folder.length + 1) : summary
}
