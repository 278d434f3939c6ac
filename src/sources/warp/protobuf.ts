/** The fields of a message in protobuf's wire format, by number; a schema is not needed for the few that are read. */
export type Fields = Map<number, (Uint8Array | number)[]>

/** Undefined where the bytes are no such message. */
export function fieldsOf(bytes: Uint8Array): Fields | undefined {
  const fields: Fields = new Map()
  let at = 0
  const varint = (): number | undefined => {
    let value = 0
    for (let shift = 0; shift < 70 && at < bytes.length; shift += 7) {
      const byte = bytes[at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return undefined
  }
  while (at < bytes.length) {
    const tag = varint()
    if (!tag || tag < 8) return undefined
    const field = Math.floor(tag / 8)
    const wire = tag % 8
    let value: Uint8Array | number | undefined
    if (wire === 0) value = varint()
    else {
      const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : undefined
      if (length === undefined || at + length > bytes.length) return undefined
      value = bytes.subarray(at, at + length)
      at += length
    }
    if (value === undefined) return undefined
    fields.set(field, [...(fields.get(field) ?? []), value])
  }
  return fields
}

/** The messages under a number. */
export function inner(fields: Fields | undefined, field: number): Fields[] {
  return (fields?.get(field) ?? []).flatMap((value) => {
    const found = typeof value === 'number' ? undefined : fieldsOf(value)
    return found ? [found] : []
  })
}

/** The text under a number. */
export function text(fields: Fields | undefined, field: number): string | undefined {
  const value = fields?.get(field)?.at(-1)
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : undefined
}

export function count(fields: Fields | undefined, field: number): number | undefined {
  const value = fields?.get(field)?.at(-1)
  return typeof value === 'number' ? value : undefined
}
