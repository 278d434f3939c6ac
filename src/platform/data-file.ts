import { fileURLToPath } from 'node:url'

/** A table that comes with the package: in `data/` beside the sources, beside the code in a bundle. */
export function dataFile(name: string): string {
  const from = import.meta.url.endsWith('.ts') ? `../../data/${name}` : `./${name}`
  return fileURLToPath(new URL(from, import.meta.url))
}
