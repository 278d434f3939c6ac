import { z } from 'zod'
import { EXPORT_FORMATS } from '../recall/export/formats.ts'
import { readerOf } from './caller.ts'
import { reveal } from './fields.ts'
import { type Route, route } from './route.ts'

const TYPES: Record<string, string> = {
  md: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
}

export const exportRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/export',
    summary: 'Chats as a file to download',
    tag: 'chats',
    query: z.object({
      chat: z.array(z.string().min(1).max(1_000)).min(1).max(1_000),
      format: z.enum(EXPORT_FORMATS).default('markdown'),
      from: z.int().min(0).optional().describe('Only from this message'),
      to: z.int().min(0).optional().describe('Only up to this message, itself included'),
      reveal,
    }),
    type: 'application/octet-stream',
    async handle({ backend, query, entry, request }) {
      const { format, from, to } = query
      const input = { chatIds: query.chat, format, from, to }
      const { extension, pieces } = await readerOf(entry, backend, query.reveal, request.signal).download(
        input,
      )
      // The first piece of a chat is asked for before anything is sent: an unknown id has a status of its own.
      const first = [await pieces.next(), await pieces.next()].map(({ value }) => String(value ?? ''))
      return new Response(streamed(first, pieces), {
        headers: {
          'content-type': `${TYPES[extension] ?? 'application/octet-stream'}; charset=utf-8`,
          'content-disposition': `attachment; filename="${fileName(query.chat, extension)}"`,
        },
      })
    },
  }),
]

/** Made as fast as it is read: an export may be larger than memory. */
function streamed(first: string[], rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const begun = first.shift()
      const { value, done } = begun === undefined ? await rest.next() : { value: begun, done: false }
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await rest.return(undefined)
    },
  })
}

function fileName([first = '', ...more]: string[], extension: string): string {
  const id = first
    .replace(/^[^:]*:/, '')
    .replace(/[^\w-]+/g, '-')
    .slice(0, 40)
  return more.length > 0
    ? `recollect-${more.length + 1}-chats.${extension}`
    : `recollect-${id || 'chat'}.${extension}`
}
