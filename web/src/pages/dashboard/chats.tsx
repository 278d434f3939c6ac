import { useFormat } from '../../lib/format.ts'
import { chatPath, useUrlState } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Bars } from './bars.tsx'
import { useMetrics } from './data.ts'
import { type Chosen, type Group, MEASURES, measured } from './days.ts'
import { useWritten } from './series.tsx'
import { words } from './words.ts'

const MOST = 50

/** The chats that had the most of it; of one tool, those that called it. */
export function TopChats({ chosen, tool }: { chosen: Chosen; tool?: string }) {
  const say = useWords(words)
  const { number } = useFormat()
  const written = useWritten()
  const { params, change } = useUrlState()
  const measure = MEASURES.find((each) => each === params.get('measure')) ?? 'messages'
  const { data, error, refetch, isPending } = useMetrics('chat', chosen, { tool, limit: MOST })
  const amountOf = (group: Group) => (tool ? (group.tools?.calls ?? 0) : (measured(group, measure) ?? 0))
  const groups = (data?.groups ?? [])
    .filter((group) => amountOf(group) > 0)
    .sort((a, b) => amountOf(b) - amountOf(a))
  const nameOf = ({ key, title }: Group) => title || key
  return (
    <section className="dashboard-part" aria-labelledby="chats">
      <div className="dashboard-part-head">
        <h2 id="chats">{tool ? say.chatsCalling(tool) : say.topChats}</h2>
        <p className="dashboard-readout">{tool ? say.toolCalls : say[measure]}</p>
      </div>
      {tool && (
        <Button look="quiet" icon="close" onClick={() => change({ tool: undefined }, { push: true })}>
          {say.everyTool}
        </Button>
      )}
      {error && <ErrorBox error={error} retry={() => void refetch()} />}
      {isPending && <Skeleton height="8rem" />}
      {data && groups.length === 0 && <p className="faint">{say.noneHere}</p>}
      <Bars
        label={say.topChats}
        rows={groups.map((group) => ({
          key: group.key,
          name: nameOf(group),
          to: pathOf(group),
          value: amountOf(group),
          written: tool ? number(amountOf(group)) : written(measured(group, measure), measure),
        }))}
      />
      {groups.length > 0 && (
        <Fold summary={say.asTable}>
          {() => (
            <Table
              caption={`${say.topChats}. ${say.asTable}`}
              file="chats"
              columns={[
                { name: say.chat, wide: true, cell: nameOf },
                ...MEASURES.map((each) => ({
                  name: say[each],
                  number: true,
                  cell: (row: Group) => written(measured(row, each), each),
                  raw: (row: Group) => measured(row, each),
                })),
              ]}
              rows={groups}
              keyOf={({ key }) => key}
            />
          )}
        </Fold>
      )}
    </section>
  )
}

function pathOf({ key }: Group): string {
  const at = key.indexOf(':')
  return chatPath(key.slice(0, at), key.slice(at + 1))
}
