import type { Archive } from '../../archive/archive.ts'
import { type HubNews, hubBehind } from '../../hub/background.ts'
import { RecollectError } from '../../model/errors.ts'
import { LESS_MEMORY, setFlags } from '../../platform/little-memory.ts'
import { sources } from '../../sources/index.ts'
import { sourceHint } from '../../sources/names.ts'
import type { Source } from '../../sources/source.ts'
import { syncOnce } from '../../sync/once.ts'
import type { SyncResult } from '../../sync/sync.ts'
import { watch } from '../../sync/watch.ts'
import { archiveFolder, type GlobalOptions, openArchive } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { ago, bytes, count, duration } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { paint } from '../paint.ts'
import { progressBar } from '../progress.ts'
import { readable } from '../readable.ts'

interface Options extends GlobalOptions {
  watch?: boolean
  source?: string
}

export async function sync(options: Options): Promise<void> {
  const chosen = options.source ? [sourceNamed(options.source)] : readable(options).sources
  const archive = openArchive(options)
  try {
    if (options.watch) await keepWatching(archive, chosen, options)
    else {
      setFlags(LESS_MEMORY)
      await syncWithProgress(archive, chosen, options)
    }
  } finally {
    await archive.close()
  }
}

/** One sync with a progress bar and a closing line; used by `start` too, which leaves much to another process. */
export async function syncWithProgress(
  archive: Archive,
  chosen: Source[],
  options: GlobalOptions & { leavesMuch?: boolean },
): Promise<void> {
  const bar = progressBar()
  const { signal, done } = onInterrupt()
  const started = performance.now()
  const startedAt = Date.now()
  const result = await syncOnce({
    ...readable(options),
    archive,
    sources: chosen,
    onProgress: bar.show,
    signal,
    leavesMuch: options.leavesMuch,
  }).finally(() => {
    bar.clear()
    done()
  })
  if ('watchedBy' in result) {
    const { pid, since } = result.watchedBy
    if (options.json) console.log(JSON.stringify({ watchedBy: result.watchedBy }))
    else console.log(`Process ${pid} already keeps the archive up to date (started ${ago(since)}).`)
    return
  }
  const seconds = (performance.now() - started) / 1000
  const problems = await problemsSince(startedAt, archive, options)
  if (options.json) console.log(JSON.stringify({ ...summary(result), problems, seconds }))
  else {
    console.log(said(result, seconds))
    if (problems > 0)
      console.log(
        paint(process.stdout).yellow(
          `${count(problems, 'record')} could not be read: \`recollect doctor\` tells which.`,
        ),
      )
  }
  if (result.interrupted) process.exitCode = EXIT.interrupted
}

async function keepWatching(archive: Archive, chosen: Source[], options: Options): Promise<void> {
  const { dim } = paint(process.stderr)
  const bar = progressBar()
  const { signal, done } = onInterrupt()
  const tell = (text: string) => {
    bar.clear()
    if (!options.json) process.stderr.write(`${text}\n`)
  }
  tell(dim('Watching. Ctrl-C ends it.'))
  const hub = options.sample
    ? undefined
    : hubBehind(archiveFolder(options), (news) => tell(dim(hubNews(news))))
  try {
    await watch({
      ...readable(options),
      archive,
      sources: chosen,
      signal,
      onProgress: bar.show,
      onWaiting: (pid) => tell(dim(`Process ${pid} keeps the archive up to date; waiting to take over.`)),
      onSynced: (result) => {
        bar.clear()
        if (options.json) console.log(JSON.stringify(summary(result)))
        else if (result.added + result.changed > 0) {
          console.log(
            `${new Date().toLocaleTimeString()}  ${count(result.added, 'new message')}, ${result.changed} changed`,
          )
        }
      },
    })
  } finally {
    done()
    await hub?.stop()
  }
}

function hubNews(news: HubNews): string {
  if ('trouble' in news) return `Hub: ${news.trouble}`
  return `Hub: ${count(news.exchanged.pushed, 'message')} sent, ${news.exchanged.pulled} received`
}

function sourceNamed(id: string): Source {
  const source = sources.find((each) => each.id === id)
  if (source) return source
  throw new RecollectError('INVALID_ARGUMENT', `Unknown assistant "${id}".`, sourceHint(id))
}

/** Those that were there before are told by `status`; a new one would go unnoticed. */
async function problemsSince(time: number, archive: Archive, options: GlobalOptions): Promise<number> {
  const { readerOf } = await import('../call.ts')
  return (await readerOf(archive, options).problems()).filter(({ seenAt }) => seenAt >= time).length
}

function summary({ chats, ...result }: SyncResult) {
  return { ...result, chats: chats.size }
}

function said(result: SyncResult, seconds: number): string {
  if (result.interrupted) {
    return `Stopped. ${count(result.added, 'new message')} kept; the next sync continues from there.`
  }
  if (result.read === 0 && result.unchanged === 0)
    return 'No chats found on this machine yet. `recollect sources` shows where it looks, `recollect import <file>` takes an export, and `recollect --sample` shows a sample archive.'
  if (result.read === 0) return `Up to date: ${count(result.unchanged, 'file')} unchanged.`
  const rate = seconds > 1 ? `, ${bytes(result.bytes / seconds)}/s` : ''
  return (
    `${count(result.added, 'new message')} in ${count(result.chats.size, 'chat')} ` +
    `from ${count(result.read, 'file')} (${bytes(result.bytes)} in ${duration(seconds)}${rate}).`
  )
}
