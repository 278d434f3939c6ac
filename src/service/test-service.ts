import { capabilities } from '../capabilities/index.ts'
import type { Bench } from '../recall/test-kit.ts'
import type { Service } from './service.ts'

/** What every face asks, on a bench: nothing is synced meanwhile. */
export function serviceAt(
  { archive, machine, sources }: Pick<Bench, 'archive' | 'machine' | 'sources'>,
  offered: Awaited<ReturnType<Service['capabilities']>> = capabilities,
): Service {
  return {
    archive,
    env: {},
    readable: async () => ({ machine, sources }),
    capabilities: async () => offered,
    syncing: () => undefined,
  }
}
