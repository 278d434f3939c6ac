import fs from 'node:fs'
import path from 'node:path'
import { fixturesOf } from '../fixture-kit.ts'

const { database, made } = fixturesOf(import.meta.dirname)

export const homes = [
  made('crush.sql', (home) => {
    const project = path.join(home, 'shop')
    const data = path.join(home, '.local/share/crush')
    fs.mkdirSync(data, { recursive: true })
    fs.writeFileSync(
      path.join(data, 'projects.json'),
      JSON.stringify({ projects: [{ path: project, data_dir: path.join(project, '.crush') }] }),
    )
    database('crush.sql', 'shop/.crush/crush.db').put(home)
  }),
]
