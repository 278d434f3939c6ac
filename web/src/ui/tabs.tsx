import { type KeyboardEvent, useEffect, useRef } from 'react'

interface TabsProps<Value extends string> {
  label: string
  value: Value
  tabs: { value: Value; label: string; count?: string }[]
  onChange: (value: Value) => void
}

/** One of several views. The arrow keys go from tab to tab, as they do everywhere. */
export function Tabs<Value extends string>({ label, value, tabs, onChange }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null)
  // On a phone there are more than fit: the chosen one is in sight. Scrolls the tabs alone, never the page.
  const shown = tabs.map(({ label, count }) => `${label} ${count}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen, or their widths are others
  useEffect(() => {
    const bar = list.current
    const chosen = bar?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!bar || !chosen) return
    const before = chosen.offsetLeft - bar.offsetLeft
    const after = before + chosen.offsetWidth - bar.clientWidth
    if (bar.scrollLeft > before) bar.scrollLeft = before
    else if (bar.scrollLeft < after) bar.scrollLeft = after
  }, [value, shown])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = (at + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (!tab) return
    onChange(tab.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          className="tab"
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
          {tab.count !== undefined && <span className="tab-count">{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}
