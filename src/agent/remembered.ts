import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { changeSmallFile, textOf } from '../platform/change-file.ts'
import type { FolderFile } from './server-config.ts'
import type { Signer } from './signature.ts'
import { hashOf, type Tool } from './tool.ts'

const toolEntry = z.object({
  server: z.string(),
  /** Missing where it is about all tools of the server. */
  tool: z.string().optional(),
  /** Of the tool as it was then: one that has become another is asked about anew. */
  hash: z.string().optional(),
  decision: z.enum(['allow', 'deny']),
  at: z.number(),
  signature: z.string(),
})
const folderEntry = z.object({ file: z.string(), hash: z.string(), at: z.number(), signature: z.string() })
const contents = z.object({
  tools: z.array(toolEntry).default([]),
  folders: z.array(folderEntry).default([]),
})
type Contents = z.output<typeof contents>

/** What a person decided for good: which tools run without asking, and whose server files are read. */
export class Remembered {
  readonly #file: string
  readonly #signer: Signer

  constructor(folder: string, signer: Signer) {
    this.#file = path.join(folder, 'agent-approvals.json')
    this.#signer = signer
  }

  /** What was decided about a tool; a word on the tool itself counts before one on its server. */
  decision(tool: Tool): 'allow' | 'deny' | undefined {
    const entries = this.#read().tools.filter(
      (entry) =>
        entry.server === tool.server &&
        (entry.tool === undefined || (entry.tool === tool.tool && entry.hash === hashOf(tool))) &&
        this.#isOurs(entry),
    )
    return (entries.findLast((entry) => entry.tool !== undefined) ?? entries.at(-1))?.decision
  }

  decide(
    { server, tool, hash }: { server: string; tool: string; hash: string },
    scope: 'tool' | 'server',
    decision: 'allow' | 'deny',
  ): void {
    const about: { server: string; tool?: string; hash?: string } =
      scope === 'tool' ? { server, tool, hash } : { server }
    const entry = { ...about, decision, at: Date.now() }
    this.#change(({ tools, folders }) => ({
      tools: [
        ...tools.filter((each) => each.server !== about.server || each.tool !== about.tool),
        { ...entry, signature: this.#signer.sign(entry) },
      ],
      folders,
    }))
  }

  isAllowed({ file, hash }: FolderFile): boolean {
    return this.#read().folders.some((each) => each.file === file && each.hash === hash && this.#isOurs(each))
  }

  allowFolder({ file, hash }: FolderFile): void {
    const entry = { file, hash, at: Date.now() }
    this.#change(({ tools, folders }) => ({
      tools,
      folders: [
        ...folders.filter((each) => each.file !== file),
        { ...entry, signature: this.#signer.sign(entry) },
      ],
    }))
  }

  #isOurs({ signature, ...entry }: { signature: string }): boolean {
    return this.#signer.isSigned(entry, signature)
  }

  #read(): Contents {
    const text = textOf(this.#file)
    if (text === undefined) return { tools: [], folders: [] }
    try {
      return contents.parse(JSON.parse(text))
    } catch {
      throw new RecollectError(
        'INVALID_CONFIG',
        `${this.#file} cannot be understood.`,
        'Remove it: you will then be asked again what tools may do.',
      )
    }
  }

  #change(changed: (contents: Contents) => Contents): void {
    changeSmallFile(this.#file, () => `${JSON.stringify(changed(this.#read()), null, 2)}\n`)
  }
}
