/**
 * The code of a thread or a process, by its name without an ending: beside the file that asks for it, whose address is `from`. A bundle holds it
 * beside all of its code, with the same ending.
 */
export function codeBeside(name: string, from: string): URL {
  return new URL(`./${name}${from.slice(from.lastIndexOf('.'))}`, from)
}
