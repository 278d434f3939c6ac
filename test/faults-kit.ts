import fs from 'node:fs'

/** What a disk does: it is full, it fails, or it takes a part of what is written. */
export type Fault = 'ENOSPC' | 'EIO' | 'short write'
export const FAULTS: Fault[] = ['ENOSPC', 'EIO', 'short write']

type Call = (...given: never[]) => unknown

const SYNC = [
  'openSync',
  'writeSync',
  'writeFileSync',
  'fsyncSync',
  'renameSync',
  'linkSync',
  'copyFileSync',
] as const
const ASYNC = ['open', 'rename', 'link', 'copyFile'] as const
const HANDLE = ['writeFile', 'write', 'sync'] as const

/**
 * From now on the nth call that writes, syncs, opens for writing, links or renames fails. The end says how many there were,
 * and mends everything.
 */
export function failNth(nth: number, fault: Fault): { end(): number } {
  let calls = 0
  const isIt = () => ++calls === nth
  const failure = (name: string): Error => {
    const code = fault === 'short write' ? 'ENOSPC' : fault
    return Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name })
  }
  const module = fs as unknown as Record<string, Call>
  const promises = fs.promises as unknown as Record<string, Call>
  const before = new Map<string, Call>()
  for (const name of SYNC) {
    const real = module[name]!
    before.set(name, real)
    module[name] = ((...given: unknown[]) => {
      if (name === 'openSync' && !isWriting(given[1])) return Reflect.apply(real, fs, given)
      if (!isIt()) return Reflect.apply(real, fs, given)
      if (fault === 'short write' && name === 'writeSync') return half(real, given)
      if (fault === 'short write' && name === 'writeFileSync')
        Reflect.apply(real, fs, [given[0], 'ha', given[2]])
      throw failure(name)
    }) as Call
  }
  for (const name of ASYNC) {
    const real = promises[name]!
    before.set(`promises.${name}`, real)
    promises[name] = (async (...given: unknown[]) => {
      const counts = name !== 'open' || isWriting(given[1])
      if (counts && isIt()) throw failure(name)
      const made = await Reflect.apply(real, fs.promises, given)
      if (name === 'open' && counts) spoil(made as Record<string, Call>, isIt, failure)
      return made
    }) as Call
  }
  return {
    end() {
      for (const name of SYNC) module[name] = before.get(name)!
      for (const name of ASYNC) promises[name] = before.get(`promises.${name}`)!
      return calls
    },
  }
}

function isWriting(flags: unknown): boolean {
  return typeof flags === 'string' ? /[wa+]/.test(flags) : typeof flags === 'number' && (flags & 3) !== 0
}

function half(real: Call, [fd, bytes, at, length]: unknown[]): unknown {
  const all = Buffer.from(bytes as Uint8Array).subarray(
    Number(at ?? 0),
    Number(at ?? 0) + Number(length ?? 1e9),
  )
  return Reflect.apply(real, fs, [fd, all, 0, all.length >> 1])
}

function spoil(handle: Record<string, Call>, isIt: () => boolean, failure: (name: string) => Error): void {
  for (const name of HANDLE) {
    const real = handle[name]!
    handle[name] = (async (...given: unknown[]) => {
      if (isIt()) throw failure(name)
      return await Reflect.apply(real, handle, given)
    }) as Call
  }
}
