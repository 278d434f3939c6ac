import type { RecollectError } from '../../model/errors.ts'
import type { GlobalOptions } from '../archive.ts'
import type { Plan, Target } from './plan.ts'

export interface SetupOptions extends GlobalOptions {
  yes?: boolean
  dryRun?: boolean
  remove?: boolean
  print?: boolean
  project?: boolean
  tools?: string
  http?: string
  /** `--no-token`. */
  token?: boolean
  name?: string
}

/** One file of one client, and what became of it. */
export interface Outcome {
  target: Target
  plan?: Plan
  written?: boolean
  backup?: string
  error?: RecollectError
}
