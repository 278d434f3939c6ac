import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, post } from '../../lib/api.ts'
import { folderName, usePlaces } from '../../lib/overview.ts'
import type { HubSpace, HubState, ShareAnswer } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice } from '../../ui/field.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { words } from './hub-words.ts'

const KEY = ['hub']
/** To connect and say hello takes some milliseconds. */
const SLOW_MS = 1_000
type Share = HubSpace['shares'][number]

/** How this machine and its hub are, and what is shared with whom. */
export function Hub() {
  const w = useWords(words)
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<HubState>('hub', undefined, signal),
    refetchInterval: 5_000,
  })
  if (error) return <ErrorBox error={error} retry={() => void refetch()} />
  if (!data) return null
  if (!data.joined)
    return (
      <section className="sources-section">
        <h2>{w.none}</h2>
        <p className="faint">{w.noneText}</p>
        <Code text={'recollect hub init <url>\nrecollect hub join <invitation>'} language="sh" />
      </section>
    )
  const { person = '', machine = '', address = '', reachable, answeredMs = 0, trouble, spaces } = data
  return (
    <>
      <section className="sources-section">
        <h2>{w.title}</h2>
        <p className="faint">{w.about(person, machine, address)}</p>
        {!reachable && <p role="status">{w.down}</p>}
        {answeredMs >= SLOW_MS && <p role="status">{w.slow(answeredMs / 1000)}</p>}
        {trouble && <p>{[trouble.message, trouble.hint].filter(Boolean).join(' ')}</p>}
      </section>
      {spaces.map((space) => (
        <Space key={space.space} space={space} />
      ))}
    </>
  )
}

function Space({ space }: { space: HubSpace }) {
  const w = useWords(words)
  const client = useQueryClient()
  const [sharing, setSharing] = useState(false)
  const stop = useMutation({
    mutationFn: (share: Share) => post<{ removed: number }>('hub/unshare', { space: space.space, share }),
    onSuccess: ({ removed }) => {
      toast(w.stopped(removed))
      return client.invalidateQueries({ queryKey: KEY })
    },
  })
  const { shares, waiting, pushedAt, pulledAt, pulledChats, pulledMessages, lag, unreadable, trouble } = space
  const { sending, receiving, home } = space
  return (
    <section className="sources-section" aria-label={space.space}>
      <h3>
        {space.space} <Badge>{w[space.kind]}</Badge> <Badge>{space.sealed ? w.sealed : w.plain}</Badge>
        {home && <Badge>{home}</Badge>}
      </h3>
      {trouble && <p role="status">{[trouble.message, trouble.hint].filter(Boolean).join(' ')}</p>}
      <dl className="hub-facts">
        <dt>{w.pushed}</dt>
        <dd>
          <span>{pushedAt === undefined ? '–' : <Time at={pushedAt} />}</span>
          {waiting > 0 && <span>{w.waiting(waiting)}</span>}
          {sending && <Progress label={w.pushed} {...sending} />}
        </dd>
        <dt>{w.pulled}</dt>
        <dd>
          <span>{w.here(pulledChats, pulledMessages)}</span>
          {pulledAt !== undefined && (
            <span>
              <Time at={pulledAt} />
            </span>
          )}
          {lag !== undefined && <span>{lag > 0 ? w.lag(lag) : w.upToDate}</span>}
          {unreadable > 0 && <span>{w.unreadable(unreadable)}</span>}
          {receiving && <Progress label={w.pulled} {...receiving} />}
        </dd>
        <dt>{w.shared}</dt>
        <dd>
          {shares.length === 0 && <p>{w.nothing}</p>}
          {shares.map((share) => (
            <p key={shareName(share, '*')}>
              <code>{shareName(share, w.everything)}</code>{' '}
              <Button look="quiet" disabled={stop.isPending} onClick={() => stop.mutate(share)}>
                {w.stop}
              </Button>
            </p>
          ))}
          <Button onClick={() => setSharing(true)}>{w.share}</Button>
        </dd>
      </dl>
      {stop.error && <ErrorBox error={stop.error} />}
      <ShareDialog space={space} open={sharing} onClose={() => setSharing(false)} />
    </section>
  )
}

/** Less is done before anybody has looked. */
const MANY = 200

/** How far a first push or pull is. */
function Progress({ label, done, all }: { label: string; done: number; all: number }) {
  if (all - done < MANY) return null
  return <progress className="hub-progress" aria-label={label} value={done} max={Math.max(1, all)} />
}

interface ShareDialogProps {
  space: HubSpace
  open: boolean
  onClose: () => void
}

/** First what it would be, then it. */
function ShareDialog({ space, open, onClose }: ShareDialogProps) {
  const w = useWords(words)
  const client = useQueryClient()
  const { workspaces, origins } = usePlaces()
  const [chosen, setChosen] = useState('')
  const choices = [
    ...(space.kind === 'own' ? [{ value: JSON.stringify({ all: true }), label: w.everything }] : []),
    ...origins.repository.map(({ name }) => ({
      value: JSON.stringify({ repository: name }),
      label: name,
    })),
    ...workspaces.map(({ path }) => ({
      value: JSON.stringify({ workspace: path }),
      label: `${folderName(path)} (${path})`,
    })),
  ]
  const ask = useMutation({
    mutationFn: ({ apply }: { apply: boolean }) =>
      post<ShareAnswer>('hub/share', { space: space.space, share: JSON.parse(chosen), apply }),
    async onSuccess({ shared }) {
      if (!shared) return
      toast(w.nowShared)
      close()
      await client.invalidateQueries({ queryKey: KEY })
    },
  })
  const close = () => {
    setChosen('')
    ask.reset()
    onClose()
  }
  const preview = ask.data?.preview
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`${w.share} ${space.space}`}
      actions={
        <>
          <Button onClick={close}>{w.cancel}</Button>
          {preview ? (
            <Button look="primary" disabled={ask.isPending} onClick={() => ask.mutate({ apply: true })}>
              {w.confirm}
            </Button>
          ) : (
            <Button
              look="primary"
              disabled={!chosen || ask.isPending}
              onClick={() => ask.mutate({ apply: false })}
            >
              {w.preview}
            </Button>
          )}
        </>
      }
    >
      <Choice
        label={w.what}
        value={chosen}
        options={[{ value: '', label: w.what }, ...choices]}
        onChange={(next) => {
          setChosen(next)
          ask.reset()
        }}
      />
      {ask.error && <ErrorBox error={ask.error} />}
      {preview && <Preview preview={preview} />}
    </Dialog>
  )
}

function Preview({ preview }: { preview: ShareAnswer['preview'] }) {
  const w = useWords(words)
  const { kind, readers, chats, messages, redacted, answers, titles } = preview
  return (
    <div className="hub-preview" role="status">
      <p>{w.would(chats, messages)}</p>
      <ul>
        {titles.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
      <p>{kind === 'own' ? w.onlyYou : readers.length > 0 ? w.readers(readers.join(', ')) : w.nobodyYet}</p>
      {kind === 'team' && <p>{w.redacted(redacted)}</p>}
      {!answers && <p>{w.toolNames}</p>}
    </div>
  )
}

function shareName({ all, repository, workspace }: Share, everything: string): string {
  return all ? everything : (repository ?? workspace ?? '')
}
