/** Brings an archive up to date in small steps, as a process of its own that can be killed. */
import type { Lease } from '../src/archive/archive.ts'
import { connect } from '../src/archive/sqlite/connection.ts'
import { takeLease } from '../src/archive/sqlite/lease.ts'
import { packAll } from '../src/archive/sqlite/pack.ts'

const [folder] = process.argv.slice(2)
process.stdout.write('opening\n')
const connection = connect(folder!)
const lease = takeLease(connection, 'test') as Lease
await packAll(connection, lease, { step: 20 })
connection.close()
