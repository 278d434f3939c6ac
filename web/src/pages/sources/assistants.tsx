import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, put } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useOverview } from '../../lib/overview.ts'
import type { Settings, SourceReport } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { Fold } from '../../ui/fold.tsx'
import { ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { words as problemWords } from './problem-words.ts'
import { words } from './words.ts'

/** `GET /api/v1/sources` */
interface SourcesAnswer {
  sources: SourceReport[]
}

export function useSources() {
  return useQuery({
    queryKey: ['sources'],
    queryFn: ({ signal }) => get<SourcesAnswer>('sources', undefined, signal),
  })
}

/** Every assistant that is known: those with chats first. */
export function Assistants() {
  const say = useWords(words)
  const { bytes } = useFormat()
  const overview = useOverview()
  const { data, error, refetch } = useSources()
  const change = useSwitch()
  if (error) return <ErrorBox error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height="30rem" />
  const rank = ({ overview, found }: SourceReport) => (overview?.chats ?? 0) + (found.length > 0 ? 0.5 : 0)
  return (
    <>
      {change.error && <ErrorBox error={change.error} />}
      <ul className="sources-list">
        {data.sources
          .toSorted((a, b) => rank(b) - rank(a))
          .map((assistant) => (
            <li key={assistant.source} className="sources-row">
              <Facts assistant={assistant} />
              <label className="sources-switch">
                <input
                  type="checkbox"
                  aria-label={say.readThis(assistant.name)}
                  checked={change.wanted(assistant)}
                  disabled={change.isPending || overview?.sample}
                  onChange={(event) => change.mutate({ source: assistant.source, on: event.target.checked })}
                />
                {say.on}
              </label>
            </li>
          ))}
      </ul>
      {overview && <p className="faint">{say.archive(bytes(overview.archive.bytes), '')}</p>}
    </>
  )
}

function Facts({ assistant }: { assistant: SourceReport }) {
  const say = useWords(words)
  const { source, name, on, found, looked, unreadable, formats, overview, vanishing } = assistant
  const chats = overview?.chats ?? 0
  return (
    <div className="sources-facts">
      <p className="sources-name">
        <SourceBadge source={source} name={name} />
        <span className="faint">
          {!on
            ? say.off
            : chats > 0
              ? `${say.chats(chats)}, ${say.messages(overview?.messages ?? 0)}`
              : found.length > 0
                ? say.noChats
                : say.notHere}
          {chats > 0 && overview?.newestAt && (
            <>
              {` · ${say.newest} `}
              <Time at={overview.newestAt} />
            </>
          )}
        </span>
      </p>
      {vanishing && <Vanishes of={vanishing} />}
      {unreadable.map((path) => (
        <p key={path} className="sources-problem">
          <code>{path}</code> {say.unreadable}. {say.unreadableText}
        </p>
      ))}
      <Fold className="sources-places" summary={say.places}>
        {() => (
          <>
            {found.length === 0 && <p>{say.looked(looked)}</p>}
            {found.map((path) => (
              <p key={path}>
                <code>{path}</code>
              </p>
            ))}
            {formats.length > 0 && (
              <p>
                {say.formats}: {formats.map(({ format, chats: n }) => `${format} (${n})`).join(', ')}
              </p>
            )}
          </>
        )}
      </Fold>
    </div>
  )
}

/** What the assistant will delete, and that it stays here. */
function Vanishes({ of }: { of: NonNullable<SourceReport['vanishing']> }) {
  const say = useWords(words)
  const { date } = useFormat()
  const { days, nextAt, soon, soonUnarchived, onlyHere } = of
  return (
    <>
      {days !== undefined && nextAt !== undefined && (
        <p className="faint">
          {say.deletes(days)} {soon > 0 ? say.goSoon(soon, date(nextAt)) : say.goNext(date(nextAt))}{' '}
          {soonUnarchived > 0 ? say.notYet(soonUnarchived) : say.stays}
        </p>
      )}
      {onlyHere > 0 && <p className="faint">{say.onlyHere(onlyHere)}</p>}
    </>
  )
}

/** Switches an assistant on or off, keeping whatever else is set. */
function useSwitch() {
  const say = useWords(words)
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: async ({ source, on }: { source: string; on: boolean }) => {
      const { settings } = await get<{ settings: Settings }>('settings')
      await put('settings', { ...settings, sources: { ...settings.sources, [source]: on } })
    },
    onSuccess: () => {
      toast(say.saved)
      return client.invalidateQueries({ queryKey: ['sources'] })
    },
  })
  const { isPending, variables } = change
  return {
    ...change,
    /** As it was just set, until the server has said the same. */
    wanted: ({ source, on }: SourceReport) => (isPending && variables.source === source ? variables.on : on),
  }
}

/** What could not be read, and what to do about it. */
export function Problems() {
  const say = useWords(words)
  const { data, error, refetch } = useSources()
  if (error) return <ErrorBox error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height="12rem" />
  const rows = problemsIn(data.sources)
  if (rows.length === 0) return <p>{say.noProblems}</p>
  return (
    <>
      <p>{say.problemsText}</p>
      <Table
        caption={say.problems}
        file="problems"
        columns={[
          {
            name: say.source,
            cell: ({ source }) => <SourceBadge source={source} />,
            raw: ({ source }) => source,
          },
          {
            name: say.reason,
            wide: true,
            cell: (row) => <Problem of={row} />,
            raw: ({ problem, file }) => [problem, file].filter(Boolean).join(' '),
          },
          { name: say.next, hidden: true, cell: ({ hint }) => hint },
        ]}
        rows={rows}
        keyOf={({ source, problem, file }) => `${source} ${file} ${problem}`}
      />
    </>
  )
}

/** In the language of whoever reads it, as far as it is known what it is. */
function Problem({ of: { problem, hint, file, kind, count = 0, reason = '' } }: { of: ProblemRow }) {
  const say = useWords(problemWords)
  const what = kind ? say.what(kind, count, reason) : problem
  return (
    <>
      <p>{what}</p>
      {file && !what.includes(file) && (
        <p>
          <code>{file}</code>
        </p>
      )}
      <p className="faint">{kind ? say.next(kind) : hint}</p>
    </>
  )
}

type ProblemRow = SourceReport['problems'][number]

export function problemsIn(sources: SourceReport[]) {
  return sources.flatMap(({ source, problems }) => problems.map((each) => ({ source, ...each })))
}
