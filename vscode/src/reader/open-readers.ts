/** A chat that is open to be read. */
export interface OpenReader {
  readonly reference: string
  readonly isSeen: boolean
  /** The person is in it: no other editor is. */
  readonly isActive: boolean
  close(): void
}

/** By window: in the order in which they were last in front. */
const readers = new WeakMap<object, Map<string, OpenReader>>()

export function openReaders(backend: object): Map<string, OpenReader> {
  const open = readers.get(backend) ?? new Map<string, OpenReader>()
  readers.set(backend, open)
  return open
}

/** Notes that a reader came to the front. */
export function broughtToFront(backend: object, reader: OpenReader): void {
  const open = openReaders(backend)
  if (open.get(reader.reference) !== reader) return
  open.delete(reader.reference)
  open.set(reader.reference, reader)
}

/** The chat that the person reads: in the active editor, else in the last that can be seen. */
export function readInFront(backend: object): string | undefined {
  const all = [...openReaders(backend).values()].reverse()
  return (all.find(({ isActive }) => isActive) ?? all.find(({ isSeen }) => isSeen))?.reference
}
