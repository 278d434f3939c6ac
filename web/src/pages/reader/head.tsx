import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { download } from '../../lib/api.ts'
import { folderName } from '../../lib/overview.ts'
import { pathWith } from '../../lib/route.ts'
import type { ChatDetails } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge, SourceBadge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem, MenuLine, MenuTitle } from '../../ui/menu.tsx'
import { Author } from '../../ui/origin.tsx'
import { StarButton, useStar } from '../../ui/star.tsx'
import { Time } from '../../ui/time.tsx'
import { toast, trying } from '../../ui/toast.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { ForgetDialog } from './forget-dialog.tsx'
import { words } from './words.ts'

interface HeadProps {
  id: string
  details: ChatDetails
  reveal: boolean
  onReveal: () => void
  onFind: () => void
  isFocused: boolean
  onFocus: () => void
  onPrint: () => void
  outlineShown: boolean
  onOutline: () => void
}

const FORMATS = { Markdown: 'markdown', HTML: 'html', JSON: 'json', 'JSON Lines': 'jsonl' }

/** What the chat is, and what can be done with it. */
export function Head(props: HeadProps) {
  const { id, details, reveal, onReveal, onFind, isFocused, onFocus, onPrint, outlineShown, onOutline } =
    props
  const w = useWords(words)
  const ui = useWords(uiWords)
  const star = useStar()
  const isStarred = details.chat.pinned === true
  const [, navigate] = useLocation()
  const [forgetting, setForgetting] = useState(false)
  const { title, resume, messageCount } = details.chat
  const copyResume = async () => {
    await navigator.clipboard.writeText(resume ?? '')
    toast(w.resumeCopied)
  }
  const copyLink = async () => {
    await navigator.clipboard.writeText(location.href)
    toast(w.linkCopied)
  }
  return (
    <header className="reader-head">
      <IconButton className="reader-back" icon="left" label={w.back} onClick={() => history.back()} />
      <div className="reader-about">
        <h1 title={title}>{title}</h1>
        <About details={details} />
      </div>
      <div className="reader-actions">
        {resume && (
          <Button look="plain" icon="terminal" title={resume} onClick={() => trying(copyResume)}>
            <span>{w.resume}</span>
          </Button>
        )}
        <StarButton chat={id} on={isStarred} />
        <IconButton icon="search" label={w.find} onClick={onFind} />
        <IconButton
          className="focus-button"
          icon="focus"
          label={w.focus}
          aria-pressed={isFocused}
          onClick={onFocus}
        />
        <IconButton icon="list" label={w.outline} aria-pressed={outlineShown} onClick={onOutline} />
        <Menu icon="more" label={w.actions} hideLabel>
          <MenuItem icon="link" onClick={() => trying(copyLink)}>
            {w.copyLink}
          </MenuItem>
          <MenuItem icon="evidence" onClick={() => navigate(pathWith('/evidence', { chat: id }))}>
            {w.evidence}
          </MenuItem>
          <MenuItem icon="eye" onClick={onReveal}>
            {reveal ? w.hideSecrets : w.showSecrets}
          </MenuItem>
          <MenuItem icon="star" onClick={() => star({ chats: [id], pinned: !isStarred })}>
            {isStarred ? ui.unstar : ui.star}
          </MenuItem>
          <MenuItem icon="focus" checked={isFocused} onClick={onFocus}>
            {w.focus}
          </MenuItem>
          <MenuItem icon="print" onClick={onPrint}>
            {w.print}
          </MenuItem>
          <MenuLine />
          <MenuTitle>{w.export}</MenuTitle>
          {Object.entries(FORMATS).map(([name, format]) => (
            <MenuItem
              key={format}
              icon="download"
              onClick={() => trying(() => download('export', { chat: id, format }))}
            >
              {name}
            </MenuItem>
          ))}
          <MenuLine />
          <MenuItem icon="trash" danger onClick={() => setForgetting(true)}>
            {w.forget}
          </MenuItem>
        </Menu>
      </div>
      <ForgetDialog id={id} messages={messageCount} open={forgetting} onClose={() => setForgetting(false)} />
    </header>
  )
}

function About({ details }: { details: ChatDetails }) {
  const w = useWords(words)
  const { source, sourceName, workspace, branch, status, updatedAt, messageCount, models } = details.chat
  const { repository, author, machine } = details.chat
  return (
    <p className="reader-facts">
      <SourceBadge source={source} name={sourceName} />
      {status && status !== 'done' && (
        <Badge tone={status === 'running' ? 'accent' : status === 'failed' ? 'bad' : 'warn'}>
          {w[status]}
        </Badge>
      )}
      {workspace && (
        <Link href={pathWith('/', { workspace })} title={workspace}>
          <Icon name="folder" />
          {folderName(workspace)}
          {branch && <span className="faint">{branch}</span>}
        </Link>
      )}
      {repository && (
        <Link className="reader-repository" href={pathWith('/', { repository })} title={repository}>
          {repository.split('/').slice(-2).join('/')}
        </Link>
      )}
      <Author author={author} machine={machine} />
      <span>{w.messages(messageCount)}</span>
      <Time at={updatedAt} />
      {models.length > 0 && (
        <span className="reader-models one-line" title={models.join(', ')}>
          {models.join(', ')}
        </span>
      )}
    </p>
  )
}
