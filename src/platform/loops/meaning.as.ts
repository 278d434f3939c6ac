import { f32At, i32At, setF32, setI32 } from './numbers.as'

type Place = usize

// How near the words of a text are to those of a query: meaning.ts says what the loop does.

function addRow(numbers: Place, scales: Place, dims: i32, row: i32, into: Place): void {
  const bits = <i32>load<u16>(scales + ((<usize>row) << 1))
  const exponent = (bits >> 10) & 31
  // Two to the power of what the exponent stands for, by its bits.
  const power = reinterpret<f64>((<u64>((exponent === 0 ? 1 : exponent) + 998)) << 52)
  let scale = <f64>((exponent === 0 ? 0 : 1024) + (bits & 1023)) * power
  if (bits & 0x8000) scale = -scale
  scale /= 7
  let at = numbers + <usize>(row * (dims >> 1))
  for (let i: i32 = 0; i < dims; i += 2) {
    const byte = <i32>load<u8>(at++)
    setF32(into, i, f32At(into, i) + scale * <f64>((byte << 28) >> 28))
    setF32(into, i + 1, f32At(into, i + 1) + scale * <f64>((byte << 24) >> 28))
  }
}

function product(a: Place, b: Place, dims: i32): f64 {
  let sum: f64 = 0
  for (let i: i32 = 0; i < dims; i++) sum += f32At(a, i) * f32At(b, i)
  return sum
}

export function nearWords(
  rows: Place,
  words: i32,
  numbers: Place,
  scales: Place,
  dims: i32,
  met: Place,
  now: i32,
  places: Place,
  near: Place,
  before: i32,
  asked: Place,
  count: i32,
  vectors: Place,
  floor: f64,
  best: Place,
  one: Place,
  sum: Place,
): i32 {
  const size = (<usize>dims) << 2
  let placed = before
  memory.fill(sum, 0, size)
  for (let i: i32 = 0; i < words; i++) {
    const row = i32At(rows, i)
    if (i32At(met, row) !== now) {
      setI32(met, row, now)
      setI32(places, row, placed)
      memory.fill(one, 0, size)
      addRow(numbers, scales, dims, row, one)
      let length = Math.sqrt(product(one, one, dims))
      if (length === 0) length = 1
      for (let asking: i32 = 0; asking < count; asking++) {
        const like = product(one, vectors + <usize>asking * size, dims) / length
        setF32(near, placed++, i32At(asked, asking) === row ? 1 : Math.max(0, (like - floor) / (1 - floor)))
      }
    }
    addRow(numbers, scales, dims, row, sum)
    const place = i32At(places, row)
    for (let asking: i32 = 0; asking < count; asking++)
      if (f32At(near, place + asking) > f32At(best, asking)) setF32(best, asking, f32At(near, place + asking))
  }
  return placed
}
