import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { fixturesOf } from '../fixture-kit.ts'

const { copied, fixture, made } = fixturesOf(import.meta.dirname)

export const homes = [
  copied('home', '.codex'),
  copied('real', '.codex'),
  made('rollout.jsonl.zst', packedRollout),
]

function packedRollout(home: string): void {
  const [name] = fs.globSync('sessions/2026/11/15/rollout-*4e959215.jsonl', {
    cwd: fixture('home'),
  })
  const file = path.join(home, '.codex', `${name}.zst`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, zlib.zstdCompressSync(fs.readFileSync(fixture('home', name!))))
}
