import { lazy, Suspense, useState } from 'react'
import type { Params } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { Choice, Toggle } from '../../ui/field.tsx'
import { ORIGINS, OriginChoice } from '../../ui/origin.tsx'
import { FacetMenu } from './facet-menu.tsx'
import { FACETS, type Filters } from './filters.ts'
import { words } from './words.ts'

const SavedSearches = lazy(() => import('./saved.tsx'))

interface FilterBarProps {
  filters: Filters
  change: (changes: Params, options?: { push?: boolean }) => void
  /** Some of them make sense only for words. */
  searching: boolean
}

export function FilterBar({ filters, change, searching }: FilterBarProps) {
  const w = useWords(words)
  const [saved, setSaved] = useState(false)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend to hide
    <div className="search-filters" role="group" aria-label={w.filters}>
      <Choice
        label={w.time}
        value={filters.time}
        onChange={(time) => change({ time, from: '', to: '' })}
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
          <Day label={w.from} value={filters.from} onChange={(from) => change({ from })} />
          <Day label={w.to} value={filters.to} onChange={(to) => change({ to })} />
        </>
      )}
      {FACETS.filter((name) => name !== 'role' || searching).map((name) => (
        <FacetMenu
          key={name}
          name={name}
          filters={filters}
          onChange={(values) => change({ [name]: values })}
        />
      ))}
      {ORIGINS.map((name) => (
        <OriginChoice
          key={name}
          name={name}
          value={filters[name]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <Toggle
        label={w.starred}
        title={w.starredTitle}
        on={filters.starred}
        onChange={(starred) => change({ starred })}
      />
      <IconButton icon="bookmark" label={w.saved} className="saved-button" onClick={() => setSaved(true)} />
      {saved && (
        <Suspense fallback={null}>
          <SavedSearches
            filters={filters}
            onClose={() => setSaved(false)}
            onRun={(changes) => {
              setSaved(false)
              change(changes, { push: true })
            }}
          />
        </Suspense>
      )}
      {searching && (
        <div className="search-toggles">
          <Toggle
            label={w.tools}
            title={w.toolsTitle}
            on={filters.tools}
            onChange={(on) => change({ tools: on ? '' : 'no' })}
          />
          <Toggle label={w.all} title={w.allTitle} on={filters.all} onChange={(all) => change({ all })} />
          <Toggle
            label={w.fuzzy}
            title={w.fuzzyTitle}
            on={filters.fuzzy}
            onChange={(fuzzy) => change({ fuzzy })}
          />
          <Toggle
            label={w.expand}
            title={w.expandTitle}
            on={filters.expand}
            onChange={(expand) => change({ expand })}
          />
        </div>
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
