import fs from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../platform/package-root.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}
const NOT_BUILT = `The page is not built yet. In a checkout of Recollect:

  npm run build:page

then reload. The REST interface and /mcp work without it.
`

function pageFolder(): string {
  return path.join(packageRoot(), 'dist', 'page')
}

/** A file of the page; whatever is no file is an address within the page, which begins with index.html. */
export function pageFile(request: Request, folder = pageFolder()): Response {
  const asked = decoded(new URL(request.url).pathname)
  if (asked === undefined) return missing()
  const found = fileIn(folder, asked)
  if (found) return sent(found, request, keptFor(asked))
  if (path.posix.extname(asked) !== '' && asked.startsWith('/assets/')) return missing()
  const index = fileIn(folder, '/index.html')
  if (index) return sent(index, request, keptFor('/index.html'))
  return new Response(NOT_BUILT, { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

function missing(): Response {
  return new Response('Not found\n', {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}

function decoded(pathname: string): string | undefined {
  try {
    const text = decodeURIComponent(pathname)
    return /[\0\\]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Where a path leads inside of the folder; nothing for what is elsewhere, or is no plain file of a known kind. */
function fileIn(folder: string, asked: string): string | undefined {
  const file = path.join(folder, path.posix.normalize(`/${asked}`))
  if (!file.startsWith(folder + path.sep) || !Object.hasOwn(TYPES, path.extname(file))) return undefined
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
}

/** How long a browser need not ask again: it asks for the icon each time that the address changes, which is at each query. */
function keptFor(asked: string): string {
  // Their names hold a hash of what is in them: they never change.
  if (asked.startsWith('/assets/')) return 'private, max-age=31536000, immutable'
  return asked.endsWith('.svg') ? 'private, max-age=3600' : 'no-cache'
}

function sent(file: string, request: Request, cacheControl: string): Response {
  const { encoding, from } = compressed(file, request.headers.get('accept-encoding') ?? '')
  return new Response(request.method === 'HEAD' ? null : fs.readFileSync(from), {
    headers: {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'cache-control': cacheControl,
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
  })
}

/** The build leaves compressed files beside those that gain by it. */
function compressed(file: string, accepted: string): { from: string; encoding?: string } {
  for (const [encoding, end] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    const from = `${file}${end}`
    if (accepted.includes(encoding) && fs.existsSync(from)) return { from, encoding }
  }
  return { from: file }
}
