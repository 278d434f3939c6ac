import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { folderName, useSourceName } from '../../lib/overview.ts'
import type { Facets } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { type FacetName, type Filters, listInput, searchInput } from './filters.ts'
import { words } from './words.ts'

interface FacetMenuProps {
  name: FacetName
  filters: Filters
  onChange: (values: string[]) => void
}

/** What the chats can be narrowed by, with how many each leaves; several of one may be chosen. */
export function FacetMenu({ name, filters, onChange }: FacetMenuProps) {
  const w = useWords(words)
  const format = useFormat()
  const nameOf = useValueName(name)
  // Counting looks at all that was found: only for who looks at it.
  const [isWanted, setWanted] = useState(false)
  const { state: _, ...search } = searchInput(filters)
  const input = filters.q.trim() === '' ? { ...listInput(filters), limit: undefined } : search
  const facets = useQuery({
    queryKey: ['search', 'facets', input],
    queryFn: ({ signal }) => post<Facets>('facets', input, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  })
  const chosen = filters[name]
  const counted = facets.data?.[name] ?? []
  const unlisted = chosen.filter((value) => !counted.some((each) => each.value === value))
  const options = [...unlisted.map((value) => ({ value, chats: 0 })), ...counted]
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  const [first] = chosen
  const said =
    first === undefined ? w[name] : chosen.length === 1 ? nameOf(first) : w.several(w[name], chosen.length)
  return (
    <Menu
      label={said}
      name={w[name]}
      className={first === undefined ? 'facet' : 'facet facet-set'}
      onOpen={() => setWanted(true)}
    >
      {options.map(({ value, chats }) => (
        <MenuItem
          key={value}
          several
          checked={chosen.includes(value)}
          note={format.number(chats)}
          onClick={() => toggle(value)}
        >
          <span title={value}>{nameOf(value)}</span>
        </MenuItem>
      ))}
      {facets.data && options.length === 0 && <p className="menu-title">{w.noFacet}</p>}
      {chosen.length > 0 && (
        <>
          <MenuLine />
          <MenuItem onClick={() => onChange([])}>{w.clear}</MenuItem>
        </>
      )}
    </Menu>
  )
}

function useValueName(name: FacetName): (value: string) => string {
  const w = useWords(words)
  const format = useFormat()
  const sourceName = useSourceName()
  const roles: Record<string, string> = {
    user: w.user,
    assistant: w.answers,
    tool: w.tools,
    system: w.system,
  }
  return (value) => {
    if (name === 'source') return sourceName(value)
    if (name === 'workspace') return folderName(value)
    if (name === 'month') return format.month(new Date(`${value}-15T12:00:00`).getTime())
    return name === 'role' ? (roles[value] ?? value) : value
  }
}
