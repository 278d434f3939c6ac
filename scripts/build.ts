/**
 * Bundles the command line into dist/: one start-up file and a chunk for each command, with all
 * that they need, so that the package installs without dependencies.
 */
import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'dist')

fs.rmSync(dist, { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    recollect: path.join(root, 'src', 'cli', 'main.ts'),
    // A thread is started from a file of its own: see src/sync/behind.ts.
    'behind-worker': path.join(root, 'src', 'sync', 'behind-worker.ts'),
  },
  platform: 'node',
  cwd: root,
})
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  minify: true,
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()

const modules = output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))
const packages = new Set(
  modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0] ?? []),
)
const licences = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  if (!file) throw new Error(`${name} comes without its licence`)
  return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), 'utf8').trim()}\n`
})
fs.writeFileSync(path.join(dist, 'THIRD-PARTY-LICENCES.txt'), licences.join(`\n${'-'.repeat(72)}\n\n`))

const bytes = output.reduce((sum, file) => sum + ('code' in file ? Buffer.byteLength(file.code) : 0), 0)
console.log(`dist: ${output.length} files, ${(bytes / 1000).toFixed(0)} kB, ${packages.size} packages inside`)
