/** Where an array begins, and its numbers. */
type Place = usize

export function i32At(list: Place, i: usize): i32 {
  return load<i32>(list + (i << 2))
}

export function f32At(list: Place, i: usize): f64 {
  return <f64>load<f32>(list + (i << 2))
}

export function f64At(list: Place, i: usize): f64 {
  return load<f64>(list + (i << 3))
}

export function byteAt(list: Place, i: usize): usize {
  return <usize>load<u8>(list + i)
}

export function setI32(list: Place, i: usize, value: i32): void {
  store<i32>(list + (i << 2), value)
}

export function setF32(list: Place, i: usize, value: f64): void {
  store<f32>(list + (i << 2), <f32>value)
}

export function countAt<T>(counts: Place, i: usize): f64 {
  return sizeof<T>() === 1 ? <f64>load<u8>(counts + i) : <f64>load<f32>(counts + (i << 2))
}
