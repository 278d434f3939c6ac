import { useUrlState } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Access } from './access.tsx'
import { Assistants, Problems, problemsIn, useSources } from './assistants.tsx'
import { Hub } from './hub.tsx'
import { Models } from './models/index.tsx'
import { Privacy } from './privacy.tsx'
import { Settings } from './settings.tsx'
import { words } from './words.ts'
import './sources.css'

const TABS = ['assistants', 'problems', 'settings', 'models', 'access', 'hub', 'privacy'] as const

export default function Sources() {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const tab = TABS.find((each) => each === params.get('tab')) ?? 'assistants'
  const problems = problemsIn(useSources().data?.sources ?? []).length
  return (
    <Page title={say.title} lead={say.lead}>
      <Tabs
        label={say.tabs}
        value={tab}
        tabs={TABS.map((value) => ({
          value,
          label: say[value],
          ...(value === 'problems' && problems > 0 && { count: String(problems) }),
        }))}
        onChange={(next) => change({ tab: next === 'assistants' ? undefined : next })}
      />
      <div className="sources-tab">
        {tab === 'assistants' && <Assistants />}
        {tab === 'problems' && <Problems />}
        {tab === 'settings' && <Settings />}
        {tab === 'models' && <Models />}
        {tab === 'access' && <Access />}
        {tab === 'hub' && <Hub />}
        {tab === 'privacy' && <Privacy />}
      </div>
    </Page>
  )
}
