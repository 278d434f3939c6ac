/**
 * The loops over all messages, in AssemblyScript: TypeScript with the numbers of a processor, compiled to WebAssembly by
 * `node scripts/loops.ts` into code.ts. Arrays are given as where they begin in the memory of memory.ts.
 * Sums are made as JavaScript would, in 64 bits, and rounded when they are stored.
 */

export * from './meaning.as'
export * from './ranking.as'
export * from './table.as'
export * from './words.as'
