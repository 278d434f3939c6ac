import { escaped } from '../../../src/recall/export/html.ts'
import { count, t } from '../words.ts'
import { type Content, type Found, SAVED, type ShownGroup } from './content.ts'
import type { Row } from './row.ts'
import { sign } from './signs.ts'

/** What the view shows, as HTML that can do nothing: every word of a chat is escaped. */
export function listBody(content: Content): string {
  const only = content.only
    ? `<p class="only"><span>${escaped(content.only)}</span>${button('clearFilter', t('Clear Filter'))}</p>`
    : ''
  if (content.found) return only + foundBody(content.found)
  if (content.state !== 'ready') return notice(content)
  const searches = content.searches ? searchesBody(content.searches) : ''
  return `${only}<div role="tree" aria-multiselectable="true" aria-label="${escaped(t('Chats'))}">${searches}${content.groups.map(groupBody).join('')}</div>`
}

/** In place of chats: what is so, and the way on. */
function notice({ state, reason = '', only = '' }: Content): string {
  if (state === 'failed')
    return said(
      [t('The archive cannot be opened.'), reason],
      [button('showStatus', t('Show Why')), button('refresh', t('Try Again'))],
    )
  if (state === 'filtered')
    return said(
      [t('No chats match the filter.'), only],
      [button('clearFilter', t('Clear Filter')), button('search', t('Search All Text'))],
    )
  return said(
    [
      t(
        'No chats yet. Recollect reads the chats that assistants save on this computer and keeps them in a private archive.',
      ),
    ],
    [button('syncNow', t('Read My Chats')), button('openWalkthrough', t('Get Started'))],
  )
}

function said(words: string[], buttons: string[]): string {
  const lines = words.filter(Boolean).map((each) => `<p>${escaped(each)}</p>`)
  return `<div class="notice">${lines.join('')}${buttons.join('')}</div>`
}

function foundBody({ query, saved, rows, about }: Found): string {
  const head =
    rows.length > 0
      ? t('{0} for “{1}”', count(rows.length, 'chat'), query)
      : t('No results for “{0}”.', query)
  const lines = about.map((line) => `<p>${escaped(line)}</p>`).join('')
  const list = rows.map((row) => rowBody(row, 1)).join('')
  const keep = saved === undefined ? button('saveSearch', t('Save Search…')) : ''
  return `<div class="about"><p>${escaped(head)}</p>${lines}${button('clearSearch', t('Back to All Chats'))}${keep}</div>
<div role="tree" aria-multiselectable="true" aria-label="${escaped(head)}">${list}</div>`
}

function searchesBody({ isOpen, list }: NonNullable<Content['searches']>): string {
  const label = t('Saved Searches')
  const rows = list.map(
    ({ name, words, about }) =>
      `<div class="saved" role="treeitem" aria-level="2" tabindex="-1" data-saved="${escaped(name)}" aria-label="${escaped(`${name}, ${about}`)}" title="${escaped(about)}" data-vscode-context="${menu({ webviewSection: 'group' })}">${sign('search')}<span class="title">${escaped(name)}</span>${words === name ? '' : `<span class="words">${escaped(words)}</span>`}<span class="does"><button type="button" tabindex="-1" data-saved-do="removeSearch" title="${escaped(t('Remove Saved Search'))}" aria-label="${escaped(t('Remove Saved Search'))}">${sign('failed')}</button></span></div>`,
  )
  return `<div class="group" role="treeitem" aria-level="1" aria-expanded="${isOpen}" tabindex="-1" data-group="${SAVED}" aria-label="${escaped(label)}" data-vscode-context="${menu({ webviewSection: 'group' })}">
<span class="twistie">${sign('twistie')}</span><span class="name">${escaped(label)}</span><span class="size">${list.length.toLocaleString()}</span></div>${isOpen ? rows.join('') : ''}`
}

function groupBody({ name, label, hint, count: size, isOpen, rows, more }: ShownGroup): string {
  const about = `${label}, ${count(size, 'chat')}`
  const rest = more > 0 ? t('Show {0} of {1} more', Math.min(50, more), more) : ''
  return `<div class="group" role="treeitem" aria-level="1" aria-expanded="${isOpen}" tabindex="-1" data-group="${escaped(name)}" aria-label="${escaped(about)}"${hint ? ` title="${escaped(hint)}"` : ''} data-vscode-context="${menu({ webviewSection: 'group' })}">
<span class="twistie">${sign('twistie')}</span><span class="name">${escaped(label)}</span><span class="size">${size.toLocaleString()}</span></div>${rows.map((row) => rowBody(row, 2)).join('')}${
    rest
      ? `<div class="more" role="treeitem" aria-level="2" tabindex="-1" data-more="${escaped(name)}" aria-label="${escaped(rest)}">${escaped(rest)}</div>`
      : ''
  }`
}

function rowBody(row: Row, level: number): string {
  const { reference, title, badge, status, place, age, pinned, archived, label, tooltip, found } = row
  const context = {
    webviewSection: 'chat',
    reference,
    recollectResumable: row.can.resume,
    recollectImportable: row.can.import,
    recollectPinned: pinned,
    recollectArchived: archived,
  }
  const at = found?.index === undefined ? '' : ` data-index="${found.index}"`
  const facts = [place, age].filter(Boolean).map((fact) => `<span>${escaped(String(fact))}</span>`)
  return `<div class="chat" role="treeitem" aria-level="${level}" aria-selected="false" tabindex="-1" data-reference="${escaped(reference)}"${at} aria-label="${escaped(label)}" title="${escaped(tooltip)}" data-vscode-context="${menu(context)}">
<span class="badge ${badge.colour}" aria-hidden="true">${escaped(badge.letters)}</span>
<span class="lines"><span class="title">${pinned ? `<span class="pinned">${sign('unpin')}</span>` : ''}${escaped(title)}</span>
<span class="facts">${status ? `<span class="status ${status}">${sign(status)}</span>` : ''}${facts.join('')}</span>${found ? passage(found) : ''}</span>
<span class="does">${does(pinned ? 'unpin' : 'pin', pinned ? t('Unpin') : t('Pin'), pinned)}${does(archived ? 'unarchive' : 'archive', archived ? t('Unarchive') : t('Archive'))}</span></div>`
}

function does(command: string, label: string, isOn = false): string {
  return `<button type="button" tabindex="-1" class="${isOn ? 'on' : ''}" data-row-do="${command}" title="${escaped(label)}" aria-label="${escaped(label)}">${sign(command)}</button>`
}

function passage({ text, marks }: NonNullable<Row['found']>): string {
  let html = ''
  let at = 0
  for (const [start, end] of marks) {
    if (start < at || end > text.length) continue
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`
    at = end
  }
  return `<span class="passage">${html}${escaped(text.slice(at))}</span>`
}

function button(action: string, label: string): string {
  return `<button type="button" data-do="${action}">${escaped(label)}</button>`
}

/** For VS Code's own context menu. */
function menu(context: object): string {
  return escaped(JSON.stringify({ ...context, preventDefaultContextMenuItems: true }))
}

export interface ListPageParts {
  cspSource: string
  nonce: string
  style: string
  script: string
  language: string
  query: string
}

/** A page that loads our style and our script and nothing else, whatever chats are called. */
export function listPage({ cspSource, nonce, style, script, language, query }: ListPageParts): string {
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`
  const words = escaped(t('Search chats'))
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
</head>
<body data-vscode-context="${menu({})}">
<div class="search" role="search">${sign('search')}<input id="search" type="search" placeholder="${words}" aria-label="${words}" value="${escaped(query)}" spellcheck="false" autocomplete="off"></div>
<div id="list" aria-live="off"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`
}
