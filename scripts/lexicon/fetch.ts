/**
 * Step 1 of 4: brings what free software's translators wrote from a Debian mirror into FOLDER.
 *
 *   node scripts/lexicon/fetch.ts FOLDER [MIRROR]
 *
 * Some 2 GB are downloaded, a few packages at a time; only catalogues, help and dictionaries are kept.
 * Can be started again: what is there already is not asked for twice. Needs curl, xz, dpkg-deb, tar.
 */
import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { LANGUAGES } from './languages.ts'

const [folder = '', mirror = 'http://deb.debian.org/debian'] = process.argv.slice(2)
const SUITE = 'dists/bookworm/main'
/** Larger packages hold more of other things than of catalogues. */
const LARGEST = 6_000_000
const LARGE = /^(?:wesnoth-1\.16-data|kstars-data|kicad|freedroidrpg-data|wordpress-l10n)$/
const AT_ONCE = 6
const run = promisify(execFile)
const WANTED = ['*.mo', '*/libreoffice/help/*.html', '*/dictd/*']

if (folder === '') throw new Error('Where to? node scripts/lexicon/fetch.ts FOLDER')
for (const name of ['lists', 'packages']) fs.mkdirSync(path.join(folder, name), { recursive: true })

download(`${SUITE}/i18n/Translation-en.xz`, 'lists/Translation-en.xz')
for (const name of [...LANGUAGES.flatMap(({ descriptions }) => descriptions)])
  download(`${SUITE}/i18n/Translation-${name}.bz2`, `lists/Translation-${name}.bz2`)
download(`${SUITE}/binary-amd64/Packages.xz`, 'lists/Packages.xz')
for (const arch of ['all', 'amd64']) download(`${SUITE}/Contents-${arch}.gz`, `lists/Contents-${arch}.gz`)

const translated = packagesWithCatalogues()
const wanted = packages().filter(({ name, size }) =>
  translated.has(name)
    ? size < LARGEST || LARGE.test(name) || isOffice(name)
    : isOffice(name) || isDictionary(name),
)
const left = wanted.filter(({ name }) => !fs.existsSync(path.join(folder, 'packages', name)))
await Promise.all(Array.from({ length: AT_ONCE }, work))

async function work(): Promise<void> {
  for (let next = left.shift(); next; next = left.shift()) {
    await unpack(next.name, next.file).catch((error) => console.error(`${next?.name}: ${error.message}`))
    if (left.length % 50 === 0) console.log(`${left.length} to go`)
  }
}

async function unpack(name: string, file: string): Promise<void> {
  const to = path.join(folder, 'packages', name)
  const [part, archive] = [`${to}.part`, `${to}.deb`]
  fs.rmSync(part, { recursive: true, force: true })
  fs.mkdirSync(part)
  const patterns = WANTED.map((pattern) => `'${pattern}'`).join(' ')
  await run('bash', [
    '-c',
    `curl -sSf --retry 3 -o '${archive}' '${mirror}/${file}' || exit 1
     dpkg-deb --fsys-tarfile '${archive}' | tar -x -C '${part}' --wildcards ${patterns} 2> /dev/null || true`,
  ])
  fs.rmSync(archive)
  fs.renameSync(part, to)
}

/** Packages with catalogues in Russian or Chinese: whoever has these has most of the others too. */
function packagesWithCatalogues(): Set<string> {
  const found = new Set<string>()
  for (const arch of ['all', 'amd64']) {
    const command = `zcat '${folder}/lists/Contents-${arch}.gz' | grep -E '/(ru|zh_CN)/LC_MESSAGES/[^ ]*\\.mo '`
    const lines = execFileSync('bash', ['-c', command], { maxBuffer: 1 << 28, encoding: 'utf8' })
    for (const line of lines.split('\n'))
      for (const each of (line.split(/\s+/)[1] ?? '').split(',')) found.add(each.split('/').at(-1)!)
  }
  return found
}

function packages(): { name: string; file: string; size: number }[] {
  const list = execFileSync('xz', ['-dc', `${folder}/lists/Packages.xz`], {
    maxBuffer: 1 << 29,
    encoding: 'utf8',
  })
  return list.split('\n\n').flatMap((stanza) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1]
    const [name, file] = [field('Package'), field('Filename')]
    return name && file ? [{ name, file, size: Number(field('Size')) }] : []
  })
}

function isOffice(name: string): boolean {
  const of = LANGUAGES.flatMap(({ office }) => office)
  return (
    of.some((each) => name === `libreoffice-l10n-${each}` || name === `libreoffice-help-${each}`) ||
    name === 'libreoffice-help-en-us'
  )
}

function isDictionary(name: string): boolean {
  return LANGUAGES.some(({ dictionary }) => dictionary && name === `dict-freedict-eng-${dictionary}`)
}

function download(file: string, name: string): void {
  const to = path.join(folder, name)
  if (fs.existsSync(to)) return
  try {
    curl(`${mirror}/${file}`, `${to}.part`)
    fs.renameSync(`${to}.part`, to)
  } catch {
    console.error(`${file}: not on the mirror`)
  }
}

function curl(from: string, to: string): void {
  execFileSync('curl', ['-sSf', '--retry', '3', '-o', to, from], { stdio: ['ignore', 'ignore', 'pipe'] })
}
