import type { ArchivedChat, OriginFilter } from '../archive/archive.ts'

/** Where a chat comes from, as every answer tells it; nothing of what is not known, or of this machine. */
export interface OriginFields {
  repository?: string
  /** Whose chat it is, where it is not of this machine. */
  author?: string
  machine?: string
}

export function originOf({ repository, origin }: Pick<ArchivedChat, 'repository' | 'origin'>): OriginFields {
  return {
    ...(repository && { repository }),
    ...(origin && { author: origin.author, machine: origin.machine }),
  }
}

/** `anna on desk`, for people. */
export function saidBy({ author, machine }: OriginFields): string | undefined {
  return author && (machine ? `${author} on ${machine}` : author)
}

/** The part of an input that says where chats come from. */
export function originAsked({ repository, author, machine }: OriginFilter): OriginFilter {
  return { repository, author, machine }
}
