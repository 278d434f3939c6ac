import path from 'node:path'

/** The id of the source that reads the dialogs of Recollect's own agent. */
export const AGENT_SOURCE = 'recollect-agent'

export const RUN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The agent's dialogs: one file each, in this folder of the archive's. */
export const RUNS = 'runs'

export function runsFolder(folder: string): string {
  return path.join(folder, RUNS)
}

export function runFile(folder: string, id: string): string {
  return path.join(runsFolder(folder), `${id}.jsonl`)
}

/** The id of the dialog that a file of the folder holds; nothing where it holds none. */
export function runIdIn(name: string): string | undefined {
  const id = name.endsWith('.jsonl') ? name.slice(0, -6) : ''
  return RUN_ID.test(id) ? id : undefined
}
