import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { Problem } from '../lib/api.ts'
import { type Language, useLanguage, useWords } from '../lib/words.ts'
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
  const { message, hint, original } = useSaid(error, useLanguage())
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

interface Said {
  message: string
  hint?: string
  original?: string
}

/** The server speaks English; the words of other languages are loaded where something went wrong. */
function useSaid(error: unknown, language: Language): Said {
  const problem = error instanceof Problem ? error : undefined
  const [translated, setTranslated] = useState<{ of: unknown; said: Said }>()
  useEffect(() => {
    if (!problem || language === 'en') return
    let isWanted = true
    import('../lib/problem-words.ts').then(
      ({ sayProblem }) => isWanted && setTranslated({ of: problem, said: sayProblem(language, problem) }),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [problem, language])
  if (language !== 'en' && problem && translated?.of === problem) return translated.said
  return { message: error instanceof Error ? error.message : String(error), hint: problem?.hint }
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
