/**
 * JSON without the signs inside of texts that some readers of lines take for the end of one (Node's readline): they
 * are escaped, which means the same.
 */
export function oneLine(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`)
}
