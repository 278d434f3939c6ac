import { lazy, Suspense, useEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { onSignedOut } from './lib/api.ts'
import { useKeys } from './lib/keys.ts'
import { useWords } from './lib/words.ts'
import Search from './pages/search/index.tsx'
import { Navigation } from './shell/navigation.tsx'
import { SignedOut } from './shell/signed-out.tsx'
import { useArchiveNews } from './shell/use-archive-news.ts'
import { words } from './shell/words.ts'
import { Boundary } from './ui/boundary.tsx'
import { Empty } from './ui/states.tsx'
import { Toasts } from './ui/toast.tsx'

const fetchReader = () => import('./pages/reader/index.tsx')
const Reader = lazy(fetchReader)
const Compare = lazy(() => import('./pages/compare/index.tsx'))
const Evidence = lazy(() => import('./pages/evidence/index.tsx'))
const Dashboard = lazy(() => import('./pages/dashboard/index.tsx'))
const Context = lazy(() => import('./pages/context/index.tsx'))
const Ask = lazy(() => import('./pages/ask/index.tsx'))
const Sources = lazy(() => import('./pages/sources/index.tsx'))

const KeysDialog = lazy(() => import('./shell/keys-dialog.tsx'))

const IDLE_MS = 1_000

export function App() {
  const [signedOut, setSignedOut] = useState(false)
  useEffect(() => onSignedOut(() => setSignedOut(true)), [])
  return signedOut ? <SignedOut /> : <Shell />
}

function Shell() {
  const { skip, notFound, notFoundText } = useWords(words)
  const [keysShown, setKeysShown] = useState<boolean>()
  const [path, navigate] = useLocation()
  useArchiveNews()
  useNewPagesAtTheTop()
  // What is opened next, most likely, is there when it is.
  useEffect(() => {
    const idle = setTimeout(fetchReader, IDLE_MS)
    return () => clearTimeout(idle)
  }, [])
  useKeys({
    '?': () => setKeysShown(true),
    '/': () => navigate('/'),
    'mod+k': () => navigate('/'),
  })
  return (
    <>
      <a className="skip" href="#main">
        {skip}
      </a>
      <div className="shell">
        <Navigation onKeys={() => setKeysShown(true)} />
        <main id="main" className="main" tabIndex={-1}>
          <Boundary key={path}>
            <Suspense fallback={null}>
              <Switch>
                <Route path="/" component={Search} />
                <Route path="/chat/:id" component={Reader} />
                <Route path="/compare" component={Compare} />
                <Route path="/evidence" component={Evidence} />
                <Route path="/dashboard" component={Dashboard} />
                <Route path="/context" component={Context} />
                <Route path="/ask" component={Ask} />
                <Route path="/sources" component={Sources} />
                <Route>
                  <Empty whole icon="search" title={notFound}>
                    {notFoundText}
                  </Empty>
                </Route>
              </Switch>
            </Suspense>
          </Boundary>
        </main>
      </div>
      {keysShown !== undefined && (
        <Suspense fallback={null}>
          <KeysDialog open={keysShown} onClose={() => setKeysShown(false)} />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}

/** A link leads to the top of a page; the back button to where it was left, which the browser sees to. */
function useNewPagesAtTheTop(): void {
  useEffect(() => {
    let known = location.pathname
    const onPush = () => {
      if (location.pathname !== known) scrollTo(0, 0)
      known = location.pathname
    }
    const onPop = () => {
      known = location.pathname
    }
    addEventListener('pushState', onPush)
    addEventListener('popstate', onPop)
    return () => {
      removeEventListener('pushState', onPush)
      removeEventListener('popstate', onPop)
    }
  }, [])
}
