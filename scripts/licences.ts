import fs from 'node:fs'
import path from 'node:path'

/** The folders of the packages that modules of a bundle come from. */
export function packagesOf(modules: string[]): string[] {
  const folders = modules.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0] ?? [],
  )
  return [...new Set(folders)].sort()
}

/** What has to be said of packages inside of a bundle: their names and licences. */
export function licencesOf(folders: string[]): string {
  const packages = folders.map(readPackage)
  const licences = packages.map((one) => {
    const text = one.text ?? textInstead(one, packages)
    return `${one.name} ${one.version} (${one.license})\n${text === '' ? '' : `\n${text}\n`}`
  })
  return licences.join(`\n${'-'.repeat(72)}\n\n`)
}

interface Package {
  name: string
  version: string
  license: string
  author?: string | { name: string }
  /** Of its licence, where it brings it along. */
  text?: string
}

function readPackage(folder: string): Package {
  const known: Package = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  return { ...known, ...(file && { text: fs.readFileSync(path.join(folder, file), 'utf8').trim() }) }
}

/** Some packages leave their licence out: its words are known all the same. */
function textInstead({ name, license, author }: Package, others: Package[]): string {
  // Given to the public without any condition: there is no text to pass on.
  if (license === 'Unlicense') return ''
  // The same words for everybody.
  const apache = others.find((other) => other.license === 'Apache-2.0' && other.text)?.text
  if (license === 'Apache-2.0' && apache) return apache
  const holder = typeof author === 'string' ? author : author?.name
  if (license !== 'MIT' || !holder) throw new Error(`${name} comes without its licence`)
  const ours = fs.readFileSync(path.join(import.meta.dirname, '..', 'LICENSE'), 'utf8')
  return ours.replace(/^Copyright.*$/m, `Copyright (c) ${holder}`).trim()
}
