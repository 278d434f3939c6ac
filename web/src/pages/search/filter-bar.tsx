import { folderName, useOverview } from '../../lib/overview.ts'
import type { Params } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { Choice, Toggle } from '../../ui/field.tsx'
import { ORIGINS, OriginChoice } from '../../ui/origin.tsx'
import type { Filters } from './filters.ts'
import { words } from './words.ts'

interface FilterBarProps {
  filters: Filters
  change: (changes: Params) => void
  /** Some of them make sense only for words. */
  searching: boolean
}

export function FilterBar({ filters, change, searching }: FilterBarProps) {
  const w = useWords(words)
  const overview = useOverview()
  const sources = (overview?.sources ?? []).filter(({ chats }) => chats > 0)
  const workspaces = overview?.workspaces ?? []
  const set = (changes: Params) => change({ ...changes, shown: '' })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend to hide
    <div className="search-filters" role="group" aria-label={w.filters}>
      <Choice
        label={w.time}
        value={filters.time}
        onChange={(time) => set({ time, from: '', to: '' })}
        options={[
          { value: '', label: w.anyTime },
          { value: '7', label: w.days(7) },
          { value: '30', label: w.days(30) },
          { value: '90', label: w.days(90) },
          { value: 'between', label: w.between },
        ]}
      />
      {filters.time === 'between' && (
        <>
          <Day label={w.from} value={filters.from} onChange={(from) => set({ from })} />
          <Day label={w.to} value={filters.to} onChange={(to) => set({ to })} />
        </>
      )}
      <Choice
        label={w.assistant}
        value={filters.source}
        onChange={(source) => set({ source })}
        options={[
          { value: '', label: w.anyAssistant },
          ...sources.map(({ source, name }) => ({ value: source, label: name })),
          ...unlisted(
            filters.source,
            sources.map(({ source }) => source),
          ),
        ]}
      />
      <Choice
        label={w.workspace}
        value={filters.workspace}
        onChange={(workspace) => set({ workspace })}
        options={[
          { value: '', label: w.anyWorkspace },
          ...workspaces.map(({ path }) => ({ value: path, label: folderName(path) })),
          ...unlisted(
            filters.workspace,
            workspaces.map(({ path }) => path),
          ),
        ]}
      />
      {ORIGINS.map((name) => (
        <OriginChoice
          key={name}
          name={name}
          value={filters[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      {searching && (
        <>
          <Choice
            label={w.role}
            value={filters.role}
            onChange={(role) => set({ role })}
            options={[
              { value: '', label: w.anyone },
              { value: 'user', label: w.user },
              { value: 'assistant', label: w.answers },
            ]}
          />
          <span className="search-filter-gap" />
          <Toggle
            label={w.tools}
            title={w.toolsTitle}
            on={filters.tools}
            onChange={(on) => set({ tools: on ? '' : 'no' })}
          />
          <Toggle label={w.all} title={w.allTitle} on={filters.all} onChange={(all) => set({ all })} />
          <Toggle
            label={w.fuzzy}
            title={w.fuzzyTitle}
            on={filters.fuzzy}
            onChange={(fuzzy) => set({ fuzzy })}
          />
          <Toggle
            label={w.expand}
            title={w.expandTitle}
            on={filters.expand}
            onChange={(expand) => set({ expand })}
          />
        </>
      )}
    </div>
  )
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <input
      type="date"
      className="choice"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** A link may name what the archive does not list. */
function unlisted(value: string, listed: string[]) {
  return value && !listed.includes(value) ? [{ value, label: folderName(value) }] : []
}
