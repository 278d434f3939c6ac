import { type ReactNode, useEffect } from 'react'
import { classes } from './classes.ts'

interface PageProps {
  title: string
  /** Beside the title: what can be done with the whole page. */
  actions?: ReactNode
  /** One sentence under the title. */
  lead?: ReactNode
  /** As wide as the window: tables, comparisons. */
  wide?: boolean
  children: ReactNode
}

/** The frame of a page: its heading, its name in the browser's tab, its width. */
export function Page({ title, actions, lead, wide, children }: PageProps) {
  useTitle(title)
  return (
    <div className={classes('page', wide && 'page-wide')}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <p className="page-lead">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Recollect` : 'Recollect'
  }, [title])
}
