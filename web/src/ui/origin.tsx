import { createContext } from 'react'
import { usePlaces } from '../lib/overview.ts'
import { dictionary, useWords } from '../lib/words.ts'
import { Choice } from './field.tsx'

/** What chats are narrowed to by where they come from. */
export const ORIGINS = ['repository', 'author', 'machine'] as const
type OriginName = (typeof ORIGINS)[number]

const words = dictionary({
  en: {
    repository: 'Repository',
    author: 'Person',
    machine: 'Machine',
    repositoryAny: 'All repositories',
    authorAny: 'Everyone',
    machineAny: 'All machines',
    me: 'Me',
    here: 'This machine',
    by: (author: string, machine: string) => `${author} on ${machine}`,
  },
  ru: {
    repository: 'Репозиторий',
    author: 'Автор',
    machine: 'Компьютер',
    repositoryAny: 'Все репозитории',
    authorAny: 'Все авторы',
    machineAny: 'Все компьютеры',
    me: 'Я',
    here: 'Этот компьютер',
    by: (author, machine) => `${author}, ${machine}`,
  },
  zh: {
    repository: '仓库',
    author: '作者',
    machine: '设备',
    repositoryAny: '所有仓库',
    authorAny: '所有人',
    machineAny: '所有设备',
    me: '我',
    here: '本机',
    by: (author, machine) => `${author} · ${machine}`,
  },
})

const OWN: Record<OriginName, string> = { repository: '', author: 'me', machine: 'this' }

interface OriginChoiceProps {
  name: OriginName
  value: string
  onChange: (value: string) => void
}

/** Only where there is something to choose from. */
export function OriginChoice({ name, value, onChange }: OriginChoiceProps) {
  const w = useWords(words)
  const listed = usePlaces().origins[name].map((each) => each.name)
  if (listed.length === 0 && !value) return null
  const own = OWN[name] ? [{ value: OWN[name], label: name === 'author' ? w.me : w.here }] : []
  const isKnown = value === '' || value === OWN[name] || listed.includes(value)
  return (
    <Choice
      label={w[name]}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: w[`${name}Any`] },
        ...own,
        ...listed.map((each) => ({ value: each, label: each })),
        // A link may name what the archive does not list.
        ...(isKnown ? [] : [{ value, label: value }]),
      ]}
    />
  )
}

/** Whose chat it is, where it is not of this machine. */
export function Author({ author, machine }: { author?: string; machine?: string }) {
  const w = useWords(words)
  return author ? <span className="author">{machine ? w.by(author, machine) : author}</span> : null
}

/** Who asks in the chat that is shown, where it is somebody else. */
export const AuthorContext = createContext<string | undefined>(undefined)
