import { RecollectError } from '../../model/errors.ts'
import { configFile, readConfig } from '../../platform/config.ts'
import { embedMessages } from '../../search/embed.ts'
import { embedderOf } from '../../search/embeddings.ts'
import { holding } from '../../sync/once.ts'
import { archiveFolder, type GlobalOptions, withArchive } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { count } from '../format.ts'
import { onInterrupt } from '../interrupt.ts'
import { countingBar } from '../progress.ts'

interface Options extends GlobalOptions {
  erase?: boolean
}

/** Asks the configured endpoint for the vectors of all messages that have none yet. */
export async function embed(options: Options): Promise<void> {
  await withArchive(options, async (archive) => {
    if (options.erase) {
      const erased = await archive.eraseVectors()
      if (options.json) console.log(JSON.stringify({ erased }))
      else console.log(`Erased the vectors of ${count(erased, 'message')}.`)
      return
    }
    const { embeddings } = readConfig(archiveFolder(options))
    if (!embeddings) {
      throw new RecollectError(
        'INVALID_CONFIG',
        `No embeddings endpoint is set in ${configFile(archiveFolder(options))}.`,
        'docs/configuration.md shows how. Search works without one.',
      )
    }
    const embedder = embedderOf(embeddings)
    const lease = await archive.takeLease('embed', 'embed')
    if (!('holder' in lease)) {
      throw new RecollectError('ARCHIVE_BUSY', `Process ${lease.pid} is embedding already.`)
    }
    const bar = countingBar()
    const { signal, done } = onInterrupt()
    const result = await holding(lease, { archive }, () =>
      embedMessages(archive, embedder, {
        signal,
        onProgress: (progress) => bar.show(progress.done, progress.messages, 'messages'),
      }),
    ).finally(() => {
      bar.clear()
      done()
    })
    if (options.json) console.log(JSON.stringify({ model: embedder.name, ...result }))
    else if (result.interrupted)
      console.log(
        `Stopped. ${count(result.embedded, 'message')} embedded, ${result.left} to go; the next run continues from there.`,
      )
    else if (result.embedded === 0) console.log('Up to date: every message has its vector.')
    else console.log(`${count(result.embedded, 'message')} embedded by ${embedder.name}.`)
    if (result.interrupted) process.exitCode = EXIT.interrupted
  })
}
