import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { get, post } from '../../lib/api.ts'
import { folderName, usePlaces } from '../../lib/overview.ts'
import { pathWith, useUrlState } from '../../lib/route.ts'
import type { ContextFile } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Editor } from './editor.tsx'
import { words } from './words.ts'
import './context.css'

export default function Context() {
  const say = useWords(words)
  const workspace = useUrlState().params.get('workspace')
  return (
    <Page title={say.title} lead={say.lead} wide>
      <div className="context">
        <Workspaces now={workspace} />
        {workspace === null ? (
          <Empty icon="context" title={say.choose}>
            {say.chooseText}
          </Empty>
        ) : (
          <File key={workspace} workspace={workspace} />
        )}
      </div>
    </Page>
  )
}

const FILTERED_FROM = 12

function Workspaces({ now }: { now: string | null }) {
  const say = useWords(words)
  const { workspaces } = usePlaces()
  const [filter, setFilter] = useState('')
  const shown = workspaces.filter(({ path }) => path.toLowerCase().includes(filter.toLowerCase()))
  return (
    <nav className="context-workspaces" aria-label={say.workspaces}>
      {workspaces.length > FILTERED_FROM && (
        <Field
          label={say.filterProjects}
          hideLabel
          placeholder={say.filterProjects}
          type="search"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <ul>
        {shown.map(({ path, newestAt }) => (
          <li key={path}>
            <Link
              className="context-workspace"
              href={pathWith('/context', { workspace: path })}
              aria-current={path === now ? 'page' : undefined}
              title={path}
            >
              <span className="one-line">{folderName(path)}</span>
              <span className="faint">
                <Time at={newestAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function File({ workspace }: { workspace: string }) {
  const say = useWords(words)
  const client = useQueryClient()
  const [editing, setEditing] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const key = ['context', workspace]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<ContextFile>('context', { workspace }, signal),
    refetchInterval: editing ? false : 3_000,
  })
  const create = async () => {
    try {
      await post('init_context', { workspace })
      await client.invalidateQueries({ queryKey: key })
    } catch (problem) {
      setFailure(problem)
    }
  }
  if (error) return <ErrorBox error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height="24rem" />
  if (!data.exists) {
    return (
      <Empty
        icon="context"
        title={say.missing}
        actions={
          <Button look="primary" onClick={() => void create()}>
            {say.create}
          </Button>
        }
      >
        {say.missingText}
        {failure !== undefined && <ErrorBox error={failure} />}
      </Empty>
    )
  }
  if (editing) {
    return (
      <Editor
        workspace={workspace}
        file={data}
        onClose={(saved) => {
          setEditing(false)
          if (saved) client.setQueryData<ContextFile>(key, saved)
          void refetch()
        }}
      />
    )
  }
  return (
    <div className="context-file">
      <header className="context-head">
        <code className="one-line" title={data.path}>
          {data.path}
        </code>
        <span className="faint">{say.entries(data.entries.length)}</span>
        <CopyButton text={data.content} />
        <Button onClick={() => setEditing(true)}>{say.edit}</Button>
      </header>
      <div className="context-columns">
        <article className="context-text">
          <Markdown text={data.content} />
        </article>
        <Entries entries={data.entries} />
      </div>
    </div>
  )
}

function Entries({ entries }: { entries: ContextFile['entries'] }) {
  const say = useWords(words)
  return (
    <ol className="context-entries" aria-label={say.entries(entries.length)}>
      {entries.toReversed().map(({ timestamp, title, sessionIds }) => (
        <li key={`${timestamp} ${title}`}>
          <time className="faint">{timestamp}</time>
          <p>{title}</p>
          {sessionIds.length > 0 && (
            <p className="context-chats">
              {sessionIds.map((id) => (
                <Link key={id} href={`/chat/${encodeURIComponent(id)}`} aria-label={`${say.chats}: ${id}`}>
                  {id.slice(0, 8)}
                </Link>
              ))}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
