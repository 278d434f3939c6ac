import { sources } from '../../sources/index.ts'
import { isOn } from '../../sources/source.ts'
import { placeState } from '../../sync/source-report.ts'
import { archiveFolder, type GlobalOptions, machineOf } from '../archive.ts'
import { tilde } from '../format.ts'
import { paint } from '../paint.ts'

export async function paths(options: GlobalOptions): Promise<void> {
  const machine = machineOf(options)
  const looked = sources
    .filter((source) => isOn(source, machine))
    .map((source) => ({
      source: source.id,
      name: source.name,
      roots: source.roots(machine).map((root) => ({ ...root, state: placeState(root.path) })),
    }))
  const archive = archiveFolder(options)
  if (options.json) {
    console.log(JSON.stringify({ archive, sources: looked }))
    return
  }
  const { bold, dim, green, yellow } = paint(process.stdout)
  console.log(`${bold('Archive')}\n  ${tilde(archive)}`)
  for (const { name, roots } of looked) {
    console.log(bold(name))
    for (const { path, label, state } of roots) {
      const sign =
        state === 'found' ? green('found    ') : state === 'missing' ? dim('not there') : yellow('no access')
      console.log(
        `  ${sign}  ${state === 'found' ? tilde(path) : dim(tilde(path))}${label ? dim(`  (${label})`) : ''}`,
      )
    }
  }
}
