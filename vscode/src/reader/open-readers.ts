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

export function openReaders(desk: object): Map<string, OpenReader> {
  const open = readers.get(desk) ?? new Map<string, OpenReader>()
  readers.set(desk, open)
  return open
}

/** Notes that a reader came to the front. */
export function broughtToFront(desk: object, reader: OpenReader): void {
  const open = openReaders(desk)
  if (open.get(reader.reference) !== reader) return
  open.delete(reader.reference)
  open.set(reader.reference, reader)
}

/** The chat that the person reads: in the active editor, else in the last that can be seen. */
export function readInFront(desk: object): string | undefined {
  const all = [...openReaders(desk).values()].reverse()
  return (all.find(({ isActive }) => isActive) ?? all.find(({ isSeen }) => isSeen))?.reference
}
