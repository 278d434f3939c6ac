import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { post } from '../lib/api.ts'
import { useOverview } from '../lib/overview.ts'
import { THEMES, useTheme } from '../lib/theme.ts'
import { LANGUAGES, type Language, setLanguage, useLanguage, useWords } from '../lib/words.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Menu, MenuItem, MenuLine, MenuTitle } from '../ui/menu.tsx'
import { SyncState } from './sync-state.tsx'
import { words } from './words.ts'

const PAGES = [
  { path: '/', name: 'search' },
  { path: '/ask', name: 'ask' },
  { path: '/compare', name: 'compare' },
  { path: '/evidence', name: 'evidence' },
  { path: '/dashboard', name: 'dashboard' },
  { path: '/context', name: 'context' },
  { path: '/sources', name: 'sources' },
] as const satisfies { path: string; name: IconName }[]

/** What somebody who reads some spaces of a team's server has no use for. */
const OWNERS = new Set<string>(['ask', 'context', 'sources'])

/** At the left on a desk; on a phone a bar at the foot, with the rest behind its last button. */
export function Navigation({ onKeys }: { onKeys: () => void }) {
  const w = useWords(words)
  const [path] = useLocation()
  const isGuest = useOverview()?.guest !== undefined
  const [open, setOpen] = useState(false)
  const [shownFor, setShownFor] = useState(path)
  if (shownFor !== path) {
    setShownFor(path)
    setOpen(false)
  }
  return (
    <header className={classes('side', open && 'side-open')}>
      <Link href="/" className="brand">
        <img src="/icon.svg" alt="" width="22" height="22" />
        <span>Recollect</span>
      </Link>
      <nav aria-label={w.pages} className="side-nav">
        {PAGES.filter(({ name }) => !isGuest || !OWNERS.has(name)).map((page) => {
          const here =
            page.path === '/' ? path === '/' || path.startsWith('/chat/') : path.startsWith(page.path)
          return (
            <Link
              key={page.path}
              href={page.path}
              className="side-link"
              aria-current={here ? 'page' : undefined}
            >
              <Icon name={page.name} />
              <span>{w[page.name]}</span>
            </Link>
          )
        })}
      </nav>
      <div className="side-foot">
        <SampleNotice />
        <SyncState />
        <div className="side-tools">
          <Appearance />
          <IconButton icon="help" label={w.keys} onClick={onKeys} />
        </div>
      </div>
      <button type="button" className="side-more" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'close' : 'menu'} />
        <span>{w.more}</span>
      </button>
    </header>
  )
}

function Appearance() {
  const w = useWords(words)
  const [theme, setTheme] = useTheme()
  const language = useLanguage()
  return (
    <Menu icon="theme" label={w.appearance} hideLabel>
      <MenuTitle>{w.theme}</MenuTitle>
      {THEMES.map((each) => (
        <MenuItem key={each} checked={each === theme} onClick={() => setTheme(each)}>
          {w[each]}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuTitle>{w.language}</MenuTitle>
      {(Object.entries(LANGUAGES) as [Language, string][]).map(([each, name]) => (
        <MenuItem key={each} checked={each === language} onClick={() => setLanguage(each)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}

function SampleNotice() {
  const w = useWords(words)
  const overview = useOverview()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  if (!overview?.sample) return null
  const leave = async () => {
    await post('sample', { on: false })
    navigate('/')
    await queries.resetQueries()
  }
  return (
    <div className="sample-notice">
      <span>{w.sample}</span>
      <Button look="quiet" onClick={() => void leave()}>
        {w.leaveSample}
      </Button>
    </div>
  )
}
