import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** What a disk does: one call fails, one write takes a part, it is full from then on, it is gone from then on. */
export const DISK_FAULTS = ['EIO', 'short write', 'full', 'dead'] as const
export type DiskFault = (typeof DISK_FAULTS)[number]

const OPERATIONS = ['none', 'open', 'write', 'sync', 'truncate', 'rename', 'link', 'unlink', 'mkdir'] as const
export type DiskOperation = (typeof OPERATIONS)[number]

/** Calls that change something, how many failed, and what the first of these was. */
export interface DiskCalls {
  calls: number
  hits: number
  operation: DiskOperation
}

/** The environment in which a process has the layer over what is in `folder`; a sentence where it cannot be built. */
export function diskLayer(folder: string): Record<string, string> | string {
  if (process.platform !== 'linux') return 'the layer is made for Linux'
  const library = path.join(folder, 'layer.so')
  const source = path.join(import.meta.dirname, 'layer.c')
  const { status, stderr, error } = spawnSync('cc', [
    '-shared',
    '-fPIC',
    '-O1',
    '-o',
    library,
    source,
    '-ldl',
  ])
  if (error) return 'no C compiler is here'
  if (status !== 0) return `the layer cannot be built here: ${String(stderr).split('\n')[0]}`
  // Where nothing may be run from the folder, the layer would be left out with a warning.
  const tried = spawnSync('true', { env: { ...process.env, LD_PRELOAD: library } })
  if (tried.stderr.length > 0)
    return `the layer cannot be loaded here: ${String(tried.stderr).split('\n')[0]}`
  const state = path.join(folder, 'layer-state')
  fs.writeFileSync(state, Buffer.alloc(4096))
  const under = path.join(folder, 'disk')
  fs.mkdirSync(under)
  return { LD_PRELOAD: library, DISK_STATE: state, DISK_UNDER: under }
}

/** The folder that the layer of this process is over. */
export function layeredFolder(): string {
  if (!process.env.DISK_UNDER) throw new Error('this process has no layer: run disk-faults.test.ts')
  return process.env.DISK_UNDER
}

/** From now on calls are counted, and the nth fails; none with nth 0. */
export function failDisk(nth: number, fault: DiskFault): void {
  const state = new Int32Array([nth, DISK_FAULTS.indexOf(fault) + 1, 0, 0, 0, 0])
  write(state)
}

/** A process of this environment stops in front of its nth call from now; how many it has made. */
export function stopDisk({ DISK_STATE }: Record<string, string>, nth: number): number {
  const file = fs.openSync(DISK_STATE!, 'r+')
  const calls = new Int32Array(3)
  fs.readSync(file, new Uint8Array(calls.buffer), 0, 12, 0)
  const state = new Int32Array([nth === 0 ? 0 : calls[2]! + nth, DISK_FAULTS.length + 1])
  fs.writeSync(file, new Uint8Array(state.buffer), 0, 8, 0)
  fs.closeSync(file)
  return calls[2]!
}

/** Nothing fails any more. */
export function healDisk(): DiskCalls {
  const [, , calls = 0, hits = 0, operation = 0] = read()
  write(new Int32Array(6))
  return { calls, hits, operation: OPERATIONS[operation]! }
}

function write(state: Int32Array): void {
  const file = fs.openSync(process.env.DISK_STATE!, 'r+')
  fs.writeSync(file, new Uint8Array(state.buffer), 0, state.byteLength, 0)
  fs.closeSync(file)
}

function read(): Int32Array {
  const bytes = fs.readFileSync(process.env.DISK_STATE!).subarray(0, 24)
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 24))
}
