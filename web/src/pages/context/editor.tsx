import { useEffect, useState } from 'react'
import { Problem, put } from '../../lib/api.ts'
import type { ContextFile } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { words } from './words.ts'

interface EditorProps {
  workspace: string
  file: ContextFile
  /** With the file as it was saved, or with nothing. */
  onClose: (saved?: ContextFile) => void
}

interface Version {
  content: string
  etag: string
}

/** The text to be edited. What others wrote meanwhile is never overwritten without asking. */
export function Editor({ workspace, file, onClose }: EditorProps) {
  const say = useWords(words)
  const [text, setText] = useState(file.content)
  const [etag, setEtag] = useState(file.etag)
  const [theirs, setTheirs] = useState<Version>()
  const [error, setError] = useState<unknown>()
  const isChanged = text !== file.content
  useUnsaved(isChanged)
  const save = async (over: string) => {
    try {
      const saved = await put<{ etag: string }>('context', { workspace, content: text, etag: over })
      toast(say.saved)
      onClose({ ...file, content: text, etag: saved.etag })
    } catch (failure) {
      const current = failure instanceof Problem && failure.code === 'CONFLICT' && failure.details.current
      if (isVersion(current)) setTheirs(current)
      else setError(failure)
    }
  }
  return (
    <div className="context-file">
      <header className="context-head">
        <code className="one-line" title={file.path}>
          {file.path}
        </code>
        {isChanged && <span className="faint">{say.unsaved}</span>}
        <Button onClick={() => onClose()}>{say.cancel}</Button>
        <Button look="primary" disabled={!isChanged} onClick={() => void save(etag)}>
          {say.save}
        </Button>
      </header>
      {error !== undefined && <ErrorBox error={error} />}
      <textarea
        className="context-editor"
        aria-label={say.text}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 's') {
            event.preventDefault()
            if (isChanged) void save(etag)
          }
        }}
      />
      <Dialog
        open={theirs !== undefined}
        title={say.conflict}
        wide
        onClose={() => setTheirs(undefined)}
        actions={
          theirs && (
            <>
              <Button onClick={() => onClose({ ...file, ...theirs })}>{say.takeTheirs}</Button>
              <Button
                onClick={() => {
                  setEtag(theirs.etag)
                  setTheirs(undefined)
                }}
              >
                {say.goOn}
              </Button>
              <Button look="danger" onClick={() => void save(theirs.etag)}>
                {say.keepMine}
              </Button>
            </>
          )
        }
      >
        <p>{say.conflictText}</p>
        <div className="context-versions">
          {[
            { name: say.mine, content: text },
            { name: say.theirs, content: theirs?.content ?? '' },
          ].map(({ name, content }) => (
            <label key={name} className="field">
              {name}
              <textarea readOnly value={content} />
            </label>
          ))}
        </div>
      </Dialog>
    </div>
  )
}

/** The browser asks before a tab with unsaved text is closed. */
function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [unsaved])
}

function isVersion(value: unknown): value is Version {
  return typeof value === 'object' && value !== null && 'content' in value && 'etag' in value
}
