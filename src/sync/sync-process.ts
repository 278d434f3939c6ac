/** The process of `syncInBackground` for much work: memory that such work takes goes back when it ends. */
import './background-worker.ts'
import { LESS_MEMORY, setFlags } from '../platform/little-memory.ts'

setFlags(LESS_MEMORY)
