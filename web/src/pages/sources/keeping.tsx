import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useOverview } from '../../lib/overview.ts'
import type { BackupList, BackupMade } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSources } from './assistants.tsx'
import { words } from './keeping-words.ts'

/** What assistants delete and when, and what is kept here. */
export function Retention() {
  const say = useWords(words)
  const { date } = useFormat()
  const { data, error } = useSources()
  const all = data?.sources ?? []
  const deleting = all.flatMap(({ source, name, vanishing }) =>
    vanishing?.days === undefined ? [] : [{ source, name, ...vanishing, days: vanishing.days }],
  )
  const onlyHere = all.reduce((sum, { vanishing }) => sum + (vanishing?.onlyHere ?? 0), 0)
  return (
    <section className="sources-section">
      <h2>{say.retention}</h2>
      <p className="faint">{say.retentionText}</p>
      {error && <ErrorBox error={error} />}
      {!data && !error && <Skeleton height="6rem" />}
      {deleting.length > 0 && (
        <Table
          caption={say.deletes}
          file="retention"
          columns={[
            {
              name: say.assistant,
              cell: ({ source, name }) => <SourceBadge source={source} name={name} />,
              raw: ({ name }) => name,
            },
            { name: say.deletes, cell: ({ days }) => say.after(days), raw: ({ days }) => days },
            {
              name: say.next,
              cell: ({ nextAt, soon }) =>
                nextAt === undefined ? '–' : `${date(nextAt)}${soon > 0 ? ` (${say.soon(soon)})` : ''}`,
            },
            { name: say.notYet, number: true, cell: ({ soonUnarchived }) => soonUnarchived },
            {
              name: say.setIn,
              wide: true,
              cell: ({ setting, settingFile, isSet }) => (
                <>
                  <code>{setting}</code> {isSet ? say.inFile : say.byDefault} <code>{settingFile}</code>
                </>
              ),
              raw: ({ setting, settingFile }) => `${setting} ${settingFile}`,
            },
          ]}
          rows={deleting}
          keyOf={({ source }) => source}
        />
      )}
      {data && deleting.length === 0 && <p>{say.nothingDeleted}</p>}
      {onlyHere > 0 && <p>{say.onlyHere(onlyHere)}</p>}
    </section>
  )
}

const KEY = ['backups']

/** The backups there are, one made now, and how one is brought back. */
export function Backups() {
  const say = useWords(words)
  const { bytes, moment } = useFormat()
  const client = useQueryClient()
  const sample = useOverview()?.sample
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<BackupList>('backups', undefined, signal),
  })
  const make = useMutation({
    mutationFn: () => post<BackupMade>('backups'),
    onSuccess: (made) => {
      toast(say.made(bytes(made.bytes), bytes(made.addedBytes)))
      return client.invalidateQueries({ queryKey: KEY })
    },
  })
  const failed = error ?? make.error
  return (
    <section className="sources-section">
      <h2>{say.backups}</h2>
      <p className="faint">{say.backupsText(data?.kept ?? 3)}</p>
      {failed && <ErrorBox error={failed} />}
      {!data && !error && <Skeleton height="6rem" />}
      {data?.backups.length === 0 && <p>{say.noBackup}</p>}
      {data && data.backups.length > 0 && (
        <>
          <p>
            {say.newest} <Time at={data.backups[0]!.createdAt} />. {say.together(bytes(data.bytes))}{' '}
            <code>{data.folder}</code>
          </p>
          <Table
            caption={say.backups}
            file="backups"
            columns={[
              {
                name: say.madeAt,
                wide: true,
                cell: ({ createdAt }) => moment(createdAt),
                raw: ({ createdAt }) => new Date(createdAt).toISOString(),
              },
              { name: say.kind, cell: ({ kind }) => (kind === 'backup' ? say.whole : say.beforeUpdate) },
              {
                name: say.restore,
                cell: ({ name }) => (
                  <>
                    <code>{restoring(name)}</code>{' '}
                    <CopyButton text={restoring(name)} label={say.copy(name)} />
                  </>
                ),
                raw: ({ name }) => restoring(name),
              },
            ]}
            rows={data.backups}
            keyOf={({ file }) => file}
          />
        </>
      )}
      <Button icon="download" disabled={make.isPending || sample} onClick={() => make.mutate()}>
        {make.isPending ? say.making : say.make}
      </Button>
      <p className="faint">{say.restoreText}</p>
    </section>
  )
}

function restoring(name: string): string {
  return `recollect restore ${name}`
}
