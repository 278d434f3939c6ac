import type { OpenedChat } from '../../recall/reader.ts'
import { count, tilde } from '../format.ts'
import { printable } from '../paint.ts'
import { type Filters, folderName, ROLES, TIMES } from './filters.ts'
import type { Library } from './library.ts'
import { plainLine } from './plain.ts'
import type { Action, Chooseable, Option } from './state.ts'

export function filterOptions(filters: Filters): Option[] {
  const { source, workspace, repository, author, machine, days, role, fuzzy, starred } = filters
  const narrowed = Object.values(filters).some(Boolean)
  return [
    { label: 'Assistant', note: source ?? 'any', action: { do: 'choose', of: 'source' } },
    {
      label: 'Project',
      note: workspace ? tilde(plainLine(workspace)) : 'any',
      action: { do: 'choose', of: 'workspace' },
    },
    { label: 'Repository', note: plainLine(repository ?? 'any'), action: { do: 'choose', of: 'repository' } },
    { label: 'Person', note: plainLine(author ?? 'anyone'), action: { do: 'choose', of: 'author' } },
    { label: 'Machine', note: plainLine(machine ?? 'any'), action: { do: 'choose', of: 'machine' } },
    {
      label: 'Time',
      note: TIMES.find((each) => each.days === days)?.label ?? 'any',
      action: { do: 'choose', of: 'time' },
    },
    {
      label: 'Who spoke',
      note: ROLES.find((each) => each.role === role)?.label ?? 'anyone',
      action: { do: 'choose', of: 'role' },
    },
    {
      label: 'Starred',
      note: starred ? 'only those' : 'all chats',
      action: { do: 'filter', set: { starred: starred ? undefined : true } },
    },
    {
      label: 'Fuzzy spelling',
      note: fuzzy ? 'on: typos and word forms are forgiven' : 'off',
      action: { do: 'filter', set: { fuzzy: fuzzy ? undefined : true } },
    },
    ...(narrowed
      ? [{ label: 'Clear all filters', action: { do: 'filter', set: NONE } } satisfies Option]
      : []),
  ]
}

const NONE: Filters = {
  source: undefined,
  workspace: undefined,
  repository: undefined,
  author: undefined,
  machine: undefined,
  days: undefined,
  role: undefined,
  fuzzy: undefined,
  starred: undefined,
  saved: undefined,
}

const ORIGINS = {
  repository: ['Repository', 'any repository'],
  author: ['Person', 'anyone'],
  machine: ['Machine', 'any machine'],
} as const
const OWN = { author: 'me', machine: 'this' } as const

/** A menu of the values that a filter can take. */
function menu(title: string, options: Option[]): Action {
  return { do: 'menu', title, options }
}

export async function valueOptions(of: Chooseable, library: Library, filters: Filters): Promise<Action> {
  const option = (label: string, note: string | undefined, set: Partial<Filters>): Option => ({
    label,
    note,
    action: { do: 'filter', set },
  })
  const chosen = (is: boolean) => (is ? 'chosen' : undefined)
  switch (of) {
    case 'source': {
      const options = (await library.sources()).map(({ source, chats }) =>
        option(plainLine(source), count(chats, 'chat'), { source }),
      )
      return menu('Assistant', [option('any assistant', undefined, { source: undefined }), ...options])
    }
    case 'workspace': {
      const options = (await library.workspaces()).map(({ path, chats }) =>
        option(`${plainLine(folderName(path))}  ${tilde(plainLine(path))}`, count(chats, 'chat'), {
          workspace: path,
        }),
      )
      return menu('Project', [option('any project', undefined, { workspace: undefined }), ...options])
    }
    case 'repository':
    case 'author':
    case 'machine': {
      const [title, any] = ORIGINS[of]
      const options = (await library.origins())[of].map(({ name, chats }) =>
        option(plainLine(name), count(chats, 'chat'), { [of]: name }),
      )
      const own =
        of === 'repository'
          ? []
          : [option(of === 'author' ? 'me' : 'this machine', undefined, { [of]: OWN[of] })]
      return menu(title, [option(any, undefined, { [of]: undefined }), ...own, ...options])
    }
    case 'time':
      return menu('Time', [
        option('any time', undefined, { days: undefined }),
        ...TIMES.map(({ days, label }) => option(label, chosen(days === filters.days), { days })),
      ])
    case 'role':
      return menu('Who spoke', [
        option('anyone', undefined, { role: undefined }),
        ...ROLES.map(({ role, label }) => option(label, chosen(role === filters.role), { role })),
      ])
  }
}

/** Escape sequences are left out: whoever pastes them may do so into a shell. */
export function copyOptions(chat: OpenedChat['chat'], request: string | undefined): Option[] {
  const option = (label: string, text: string, what: string): Option => ({
    label,
    note: plainLine(text.slice(0, 500)),
    action: { do: 'copy', text: printable(text), what },
  })
  return [
    ...(request
      ? [option('The request', request, `the request, ${count(request.length, 'character')}`)]
      : []),
    option('The id of the chat', chat.id, 'the id'),
    ...(chat.resume ? [option('The command that resumes it', chat.resume, 'the command')] : []),
  ]
}

export function pathOptions(chat: OpenedChat['chat'], files: string[]): Option[] {
  const option = (label: string, path: string): Option => ({
    label,
    note: tilde(plainLine(path)),
    action: { do: 'open path', path },
  })
  return [
    ...files.map((file) => option('The file of the chat', file)),
    ...(chat.workspace ? [option('The folder of the project', chat.workspace)] : []),
  ]
}

/** A file name that any system takes. */
export function exportName({ title, id }: OpenedChat['chat']): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  let name = ''
  for (const word of words) if (name.length + word.length < 60) name += (name ? '-' : '') + word
  return `${name || id.replace(/[^\w-]/g, '-').slice(0, 60)}.md`
}
