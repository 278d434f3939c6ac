/** Values drawn for the corpora of secrets, the same each time; none is or was a real one. */

let seed = 77

export function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

export function drawn(alphabet: string, length: number): string {
  const draw = () => Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
  let value = draw()
  while (length >= 8 && alphabet.length > 16 && !/\d/.test(value)) value = draw()
  return value
}

export const DIGITS = '0123456789'
export const LOWER = 'abcdefghijklmnopqrstuvwxyz'
export const UPPER = LOWER.toUpperCase()
export const hex = (n: number) => drawn(`${DIGITS}abcdef`, n)
export const alnum = (n: number) => drawn(DIGITS + LOWER + UPPER, n)
export const small = (n: number) => drawn(DIGITS + LOWER, n)
export const caps = (n: number) => drawn(DIGITS + UPPER, n)
export const url = (n: number) => drawn(`${DIGITS}${LOWER}${UPPER}_-`, n - 1) + alnum(1)
export const b64 = (n: number) => drawn(`${DIGITS}${LOWER}${UPPER}+/`, n - 1) + alnum(1)
export const num = (n: number) => drawn('123456789', n)
export const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
export const json64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
export const jwt = () =>
  `${json64({ alg: 'HS256', typ: 'JWT' })}.${json64({ sub: num(8), iat: 1 })}.${url(43)}`

/** As people make them up. */
const WORDS = ['winter', 'Falcon', 'coffee', 'Berlin', 'monkey', 'Sunrise', 'dragon', 'kaktus']
const SIGNS = '!#%&*?@+='
export const password = () =>
  `${WORDS[random(WORDS.length)]}${random(2) ? SIGNS[random(SIGNS.length)] : ''}${num(2 + random(3))}${
    random(2) ? SIGNS[random(SIGNS.length)] : 'x'
  }`
export const strong = () => `${alnum(5)}${SIGNS[random(5)]}${alnum(6)}`

/** Begins to draw again: the same values each time. */
export function drawFrom(start: number): void {
  seed = start
}
