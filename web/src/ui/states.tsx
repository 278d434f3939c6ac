import type { CSSProperties, ReactNode } from 'react'
import { Problem } from '../lib/api.ts'
import { sayProblem } from '../lib/problem-words.ts'
import { useLanguage, useWords } from '../lib/words.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import { words } from './words.ts'

interface EmptyProps {
  /** It is all there is on the page: its title is the page's. */
  whole?: boolean
  icon?: IconName
  title: string
  children?: ReactNode
  actions?: ReactNode
}

/** Nothing to show, why, and what to do about it. */
export function Empty({ whole, icon, title, children, actions }: EmptyProps) {
  return (
    <div className="empty">
      {icon && (
        <span className="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      {whole ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <div className="empty-text">{children}</div>}
      {actions && <div className="empty-actions">{actions}</div>}
    </div>
  )
}

/** What went wrong and what to do next. */
export function ErrorBox({ error, retry }: { error: unknown; retry?: () => void }) {
  const { tryAgain } = useWords(words)
  const problem = error instanceof Problem ? error : undefined
  const language = useLanguage()
  const { message, hint, original } = problem
    ? sayProblem(language, problem)
    : { message: error instanceof Error ? error.message : String(error) }
  return (
    <div className="error-box" role="alert">
      <Icon name="warning" />
      <div>
        <p className="error-message" title={original}>
          {message}
        </p>
        {(hint ?? original) && <p className="error-hint">{hint ?? original}</p>}
      </div>
      {retry && (
        <Button look="quiet" onClick={retry}>
          {tryAgain}
        </Button>
      )}
    </div>
  )
}

interface SkeletonProps {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  className?: string
}

/** Holds the place of what is on its way, in the size it will have. */
export function Skeleton({ width = '100%', height = '1em', className }: SkeletonProps) {
  return <span className={classes('skeleton', className)} style={{ width, height }} aria-hidden="true" />
}
