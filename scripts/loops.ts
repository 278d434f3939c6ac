/** Compiles src/platform/loops/loops.as.ts: `node scripts/loops.ts`; with `--check` it only says whether that was done. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'src', 'platform', 'loops')
const target = path.join(folder, 'code.ts')

const code = `${[
  '// Written by scripts/loops.ts from loops.as.ts.',
  'export const CODE =',
  `  '${brotliCompressSync(compiled()).toString('base64')}'`,
].join('\n')}\n`

if (!process.argv.includes('--check')) fs.writeFileSync(target, code)
else if (fs.readFileSync(target, 'utf8') !== code) {
  console.error('src/platform/loops/code.ts is not made of loops.as.ts: run `node scripts/loops.ts`')
  process.exitCode = 1
} else console.log('the loops are compiled')

function compiled(): Buffer {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-loops-'))
  try {
    const compiler = path.join(root, 'test', 'tools', 'node_modules', 'assemblyscript', 'bin', 'asc.js')
    const file = path.join(temp, 'loops.wasm')
    const memory = ['--importMemory', '--noExportMemory', '--sharedMemory', '--maximumMemory', '65536']
    // Not made smaller: calls of small functions would be left in the loops, where what is compiled quickly at first carries them out one by one.
    const flags = [
      '-O3',
      '--shrinkLevel',
      '0',
      '--runtime',
      'stub',
      '--enable',
      'threads',
      '--enable',
      'bulk-memory',
      ...memory,
    ]
    execFileSync(
      process.execPath,
      [compiler, 'loops.as.ts', '--baseDir', folder, ...flags, '--initialMemory', '1', '-o', file],
      { stdio: 'inherit' },
    )
    return fs.readFileSync(file)
  } finally {
    fs.rmSync(temp, { recursive: true, force: true })
  }
}
