/**
 * Builds the web page into dist/page, when it is missing or older than what it is made of. In an
 * installed package there is nothing to build it from, and it is there already.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { licencesOf, packagesOf } from './licences.ts'

const root = path.join(import.meta.dirname, '..')
const web = path.join(root, 'web')
const page = path.join(root, 'dist', 'page')
const LICENCES = 'THIRD-PARTY-LICENCES.txt'

/** Whether it had to be built. `force` builds it in any case. */
export async function buildPage({ force = false } = {}): Promise<boolean> {
  if (!force && !isStale()) return false
  const { build } = await import('vite')
  const modules = new Set<string>()
  const collect = (): Plugin => ({
    name: 'modules-inside',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if ('moduleIds' in file) for (const id of file.moduleIds) modules.add(id)
    },
  })
  // Beside the old one, then in its place: whoever serves it, or builds it too, sees a whole page.
  const made = `${page}-${process.pid}`
  await build({
    configFile: path.join(web, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [collect()],
    worker: { format: 'es', plugins: () => [collect()] },
    build: { outDir: made, emptyOutDir: true },
  })
  fs.writeFileSync(path.join(made, LICENCES), licencesOf(packagesOf([...modules])))
  fs.rmSync(page, { recursive: true, force: true })
  fs.renameSync(made, page)
  return true
}

function isStale(): boolean {
  if (!fs.existsSync(web)) return false
  const built = fs.statSync(path.join(page, LICENCES), { throwIfNoEntry: false })
  if (!built) return true
  return newest([web, path.join(root, 'src', 'model')]) > built.mtimeMs
}

function newest(folders: string[]): number {
  let latest = 0
  for (const folder of folders)
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.parentPath.includes('node_modules'))
        latest = Math.max(latest, fs.statSync(path.join(entry.parentPath, entry.name)).mtimeMs)
  return latest
}

if (import.meta.main) {
  const before = performance.now()
  const built = await buildPage({ force: process.argv.includes('--force') })
  if (built) console.log(`dist/page: built in ${((performance.now() - before) / 1000).toFixed(1)} s`)
}
