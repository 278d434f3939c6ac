const codes = new WeakMap<object, string>()

/** Why an answer is a refusal, as a code; nothing where it is none. */
export function refusalCode(answer: object): string | undefined {
  return codes.get(answer)
}

/** For who makes another answer of one: with secrets taken out, say. */
export function keepRefusalCode(of: object, answer: object): void {
  const code = codes.get(of)
  if (code !== undefined) codes.set(answer, code)
}

/** For an answer that came from a helper: see `asideFor`. */
export function noteRefusalCode(answer: object, code: string | undefined): void {
  if (code !== undefined) codes.set(answer, code)
}
