import fs from 'node:fs'

/** The strings of a compiled gettext catalogue, with what they are translated to. Nothing of one that cannot be read. */
export function* stringsOf(file: string): Generator<[string, string]> {
  const bytes = fs.readFileSync(file)
  if (bytes.length < 28) return
  const isLittle = bytes.readUInt32LE(0) === MAGIC
  if (!isLittle && bytes.readUInt32BE(0) !== MAGIC) return
  const number = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const [count, originals, translations] = [number(8), number(12), number(16)]
  const last = Math.max(originals, translations) + count * 8
  if (last > bytes.length) return
  const slice = (table: number, i: number) => {
    const [length, at] = [number(table + i * 8), number(table + i * 8 + 4)]
    return bytes.subarray(at, at + length)
  }
  let decoder = new TextDecoder('utf-8')
  for (let i = 0; i < count; i++) {
    const original = slice(originals, i)
    const translation = slice(translations, i)
    if (original.length === 0) {
      const charset = /charset=([\w-]+)/.exec(translation.toString('latin1'))?.[1] ?? 'utf-8'
      try {
        decoder = new TextDecoder(charset)
      } catch {
        return
      }
      continue
    }
    // Plural forms are set off by a zero, the context before the string by a four.
    const english = decoder.decode(original).split('\0')[0]!.split('\x04').at(-1)!
    const other = decoder.decode(translation).split('\0')[0]!
    if (other !== '') yield [english, other]
  }
}

const MAGIC = 0x950412de
