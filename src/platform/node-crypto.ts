import type crypto from 'node:crypto'

let loaded: typeof crypto | undefined

/** Node's own, loaded when it is first needed: that takes 5 ms, and a server that lists its tools or searches needs none of it. */
export function nodeCrypto(): typeof crypto {
  loaded ??= process.getBuiltinModule('node:crypto')
  return loaded
}
