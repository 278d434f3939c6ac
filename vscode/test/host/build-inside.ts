import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

const source = path.join(import.meta.dirname, 'inside')

/** Bundles the test extension into a folder; every test file stays a file of its own. */
export async function buildInside(folder: string): Promise<void> {
  const names = fs.readdirSync(source).filter((file) => /^(extension|.*\.test)\.ts$/.test(file))
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((file) => [file.slice(0, -3), path.join(source, file)])),
    platform: 'node',
    external: ['vscode', 'mocha'],
  })
  await bundle.write({
    dir: folder,
    format: 'cjs',
    sourcemap: 'inline',
    chunkFileNames: 'shared/[name].js',
    paths: {
      mocha: path.join(import.meta.dirname, '..', '..', '..', 'node_modules', 'mocha', 'lib', 'mocha.cjs'),
    },
  })
  await bundle.close()
  fs.copyFileSync(path.join(source, 'manifest.json'), path.join(folder, 'package.json'))
}
