import { useFormat } from '../lib/format.ts'

interface TimeProps {
  at: number | null | undefined
  /** `ago` is short and near; `clock` is the hour; `date` the day. */
  as?: 'ago' | 'clock' | 'date'
}

/** A moment, with the whole of it on hover. */
export function Time({ at, as = 'ago' }: TimeProps) {
  const format = useFormat()
  if (at === null || at === undefined) return null
  return (
    <time
      dateTime={new Date(at).toISOString()}
      onPointerEnter={(event) => {
        event.currentTarget.title = format.moment(at)
      }}
    >
      {format[as](at)}
    </time>
  )
}
