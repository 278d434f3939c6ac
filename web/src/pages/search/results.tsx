import { Link } from 'wouter'
import { folderName } from '../../lib/overview.ts'
import { chatPath, type Params, type Sought } from '../../lib/route.ts'
import type { ChatResult } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { Inline } from '../../ui/inline.tsx'
import { Author } from '../../ui/origin.tsx'
import { Starred } from '../../ui/star.tsx'
import { Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { type Filters, isNarrowed, NO_FILTERS } from './filters.ts'
import { NextSteps } from './next-steps.tsx'
import type { Answered } from './search.ts'
import { SelectBox, type Selection } from './selection.tsx'
import { useNearEnd } from './use-near-end.ts'
import { words } from './words.ts'

interface ResultsProps {
  answer: Answered
  /** There are more, told as somebody scrolls. */
  isMore: boolean
  onMore: () => void
  filters: Filters
  change: (changes: Params, options?: { push?: boolean }) => void
  onTried: (state: unknown) => void
  selection: Selection
}

/** In pixels, about: what is drawn is measured. */
const RESULT = 75
const SNIPPET = 42

export function Results({ answer, isMore, onMore, filters, change, onTried, selection }: ResultsProps) {
  const w = useWords(words)
  const { results, totalFound } = answer
  const sought = { q: answer.asked, fuzzy: filters.fuzzy, expand: filters.expand }
  const end = useNearEnd(() => isMore && onMore())
  const steps = <NextSteps answer={answer} filters={filters} change={change} onTried={onTried} />
  if (results.length === 0)
    return (
      <Empty icon="search" title={w.nothing} actions={steps}>
        <p>{w.nothingText}</p>
        {isNarrowed(filters) && (
          <Button look="quiet" onClick={() => change(NO_FILTERS)}>
            {w.noFilter}
          </Button>
        )}
      </Empty>
    )
  return (
    <section aria-label={w.results}>
      <div className="search-about">
        <p role="status">{w.found(totalFound)}</p>
        <div className="search-order">
          {steps}
          {results.length > 1 && (
            <Choice
              label={w.sort}
              value={filters.sort}
              onChange={(sort) => change({ sort })}
              options={[
                { value: '', label: w.byRelevance },
                { value: 'date', label: w.byDate },
              ]}
            />
          )}
        </div>
      </div>
      {answer.tried?.map(({ word, instead }) => (
        <p key={word} className="search-tried">
          {w.tried(word, instead.slice(0, 4).join(', '))}
        </p>
      ))}
      {answer.translated && (
        <p className="search-tried">
          {w.translated(
            answer.translated.slice(0, 8).map(({ word, as }) => `${word} → ${as.slice(0, 3).join(', ')}`),
          )}
        </p>
      )}
      {answer.timeFilter && (
        <p className="search-tried">
          {answer.timeFilter.lifted
            ? w.timeLifted(answer.timeFilter.words)
            : w.timeKept(answer.timeFilter.words, days(answer.timeFilter))}
        </p>
      )}
      {answer.notes?.map((note) => (
        <p key={note} className="search-tried">
          {note}
        </p>
      ))}
      <VirtualList
        as="ol"
        items={results}
        keyOf={({ source, chatId }) => `${source}:${chatId}`}
        heightOf={({ snippets }) => RESULT + snippets.length * SNIPPET}
        isOpen={isMore}
      >
        {(result) => <Result result={result} sought={sought} selection={selection} />}
      </VirtualList>
      <div ref={end} className="recent-end" />
    </section>
  )
}

function days({ from, to }: { from?: number; to?: number }): string {
  const day = (at?: number) => (at === undefined ? '' : new Date(at).toLocaleDateString())
  return day(from) === day(to) ? day(from) : `${day(from)} – ${day(to)}`
}

interface ResultProps {
  result: ChatResult
  sought: Sought
  selection: Selection
}

function Result({ result, sought, selection }: ResultProps) {
  const w = useWords(words)
  const { source, chatId, title, workspace, author, machine, hits, updatedAt, pinned, snippets } = result
  const chat = `${source}:${chatId}`
  const inTitle = snippets.find((snippet) => snippet.source === 'title' && snippet.text === title)
  const shown = snippets.filter((snippet) => snippet.source !== 'title')
  const best = shown[0]?.index
  return (
    <div className="result" data-result>
      <SelectBox chat={chat} title={title} selection={selection} />
      <h2 className="result-title">
        <Link href={chatPath(source, chatId, best, sought)} data-row={chat}>
          <Inline text={title} marks={inTitle?.marks} />
        </Link>
      </h2>
      <span className="result-time">
        <Time at={updatedAt} />
      </span>
      <p className="result-about">
        {pinned && <Starred />}
        <SourceBadge source={source} />
        {workspace && <span title={workspace}>{folderName(workspace)}</span>}
        <Author author={author} machine={machine} />
        <span>{w.hits(hits)}</span>
      </p>
      <ul className="snippets">
        {shown.map((snippet) => (
          <li key={`${snippet.index}-${snippet.source}`}>
            <Link className="snippet" href={chatPath(source, chatId, snippet.index, sought)}>
              <span className="snippet-role">{speaker(w, snippet, author)}</span>
              <span className="snippet-text">
                <Inline text={snippet.text} marks={snippet.marks} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Words = ReturnType<typeof useWords<typeof words.en>>

function speaker(w: Words, { source, type, role }: ChatResult['snippets'][number], author?: string): string {
  if (source === 'tool') return w.tool
  if (type === 'delegated') return w.agent
  return { user: author ?? w.you, assistant: w.assistantSaid, tool: w.tool }[role] ?? w.system
}
