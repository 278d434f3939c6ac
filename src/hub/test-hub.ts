import type { Address } from './address.ts'
import { addSpace, letIn, setUp } from './admin.ts'
import type { Database } from './database.ts'
import { adminOf, type TestServer, testServer } from './test-kit.ts'
import { type TestMachine, testMachine } from './test-machine.ts'

/** A hub that is set up on a server for tests. What was made for it ends with it. */
export interface TestHub {
  server: TestServer
  database: string
  admin: Database
  address: Address
  /** One of a person who is in these spaces from now on, and knows of them. */
  machine(person: string, label: string, options?: MachineOptions): Promise<TestMachine>
  end(): Promise<void>
}

interface MachineOptions {
  spaces?: string[]
  /** How it gets to the server: by a proxy. */
  way?: Address
}

export async function testHub({
  spaces = ['team'],
  settings,
}: {
  spaces?: string[]
  settings?: Record<string, string>
} = {}): Promise<TestHub> {
  const server = await testServer(settings)
  const database = await server.database()
  const { admin, address } = await adminOf(server, database)
  await setUp(admin)
  for (const name of spaces) await addSpace(admin, { name, kind: 'team' })
  const machines: TestMachine[] = []
  return {
    ...{ server, database, admin, address },
    async machine(person, label, { spaces: letInto = [], way } = {}) {
      // A connection of its own: the server may have been stopped meanwhile.
      const { admin: now } = await adminOf(server, database)
      const made = await testMachine(now, address, person, label, way)
      machines.push(made)
      for (const space of letInto) await letIn(now, person, space)
      await now.close()
      if (letInto.length > 0) await made.exchange()
      return made
    },
    async end() {
      for (const { archive, close } of machines) {
        await archive.close()
        await close()
      }
      await admin.close()
      await server.end()
    },
  }
}
