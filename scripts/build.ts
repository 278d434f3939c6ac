/** Bundles the command line into dist/: one start-up file, and a chunk for each command. */
import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'dist')

fs.rmSync(dist, { recursive: true, force: true })
const bundle = await rolldown({
  input: { recollect: path.join(root, 'src', 'cli', 'main.ts') },
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
const bytes = output.reduce((sum, file) => sum + ('code' in file ? Buffer.byteLength(file.code) : 0), 0)
console.log(`dist: ${output.length} files, ${(bytes / 1000).toFixed(0)} kB`)
