import { createHash } from 'node:crypto'

/** The longest name that every provider takes. */
const LONGEST = 64

/**
 * The names under which tools are offered to a model: their own where it is the only one of its
 * name, else `server__tool` for each of them, in whatever order they are configured.
 */
export function offeredNames(tools: { server: string; tool: string }[]): string[] {
  const plain = tools.map(({ tool }) => allowed(tool))
  const often = new Map<string, number>()
  for (const name of plain) often.set(name, (often.get(name) ?? 0) + 1)
  const names = tools.map(({ server, tool }, at) =>
    often.get(plain[at]!) === 1 ? plain[at]! : allowed(`${server}__${tool}`),
  )
  const taken = new Set<string>()
  return names.map((name, at) => {
    const free = taken.has(name) ? shortened(name, `${tools[at]!.server}/${tools[at]!.tool}#${at}`) : name
    taken.add(free)
    return free
  })
}

/** Letters, digits, `_` and `-`, and not too long. What had to change is told apart by a mark of the whole. */
function allowed(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_-]/g, '_')
  return clean === name && name.length <= LONGEST && name !== '' ? name : shortened(clean, name)
}

function shortened(name: string, whole: string): string {
  const mark = createHash('sha256').update(whole).digest('hex').slice(0, 6)
  return `${name.slice(0, LONGEST - 7)}_${mark}`
}
