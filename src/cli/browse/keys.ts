import type { Key } from 'ink'
import { EXIT } from '../errors.ts'
import type { Edit } from './field.ts'
import type { Action, Place } from './state.ts'

/** A key, or several for the same, and what it does in a place. */
export interface Binding {
  keys: string[]
  /** As it is told: `↑ ↓`. Bindings without are for fingers that know them from elsewhere. */
  shown?: string
  does: string
  /** The few that the footer names, the most needed first. */
  inFooter?: string
  action: Action
}

/** What was pressed: a key by its name, or text. */
export type Press = { key: string } | { text: string }

/** The keys in what the terminal sent: those that are pressed faster than they are read come together. */
export function pressed(input: string, key: Key): Press[] {
  if (key.eventType === 'release') return []
  const name = NAMED.find((each) => key[each])
  if (name) {
    const lead = key.ctrl ? 'ctrl+' : key.meta && name !== 'escape' ? 'alt+' : key.shift ? 'shift+' : ''
    return [{ key: lead + SHORT[name] }]
  }
  if (input === '') return []
  if (key.ctrl || key.meta) return [{ key: `${key.ctrl ? 'ctrl' : 'alt'}+${input}` }]
  return input
    .split(CONTROL)
    .filter((part) => part !== '')
    .map((part) => (CONTROL.test(part) ? { key: controlKey(part) } : { text: part }))
}

/** What is pasted comes apart from what is typed, so that these are keys. */
const CONTROL = /([\u0000-\u001f\u007f])/

function controlKey(character: string): string {
  if (/[\r\n]/.test(character)) return 'enter'
  if (/[\u0008\u007f]/.test(character)) return 'backspace'
  if (character === '\t') return 'tab'
  return `ctrl+${String.fromCharCode(character.charCodeAt(0) + 96)}`
}

export function actionFor(place: Place, press: Press): Action | undefined {
  const name = 'key' in press ? press.key : press.text
  const bound = [...BINDINGS[place], ...EVERYWHERE].find(({ keys }) => keys.includes(name))
  if (bound) return bound.action
  if ('text' in press) return TYPED_IN.has(place) ? edit({ insert: oneLine(press.text) }) : undefined
  const change = TYPED_IN.has(place) ? EDITS[name] : undefined
  return change && edit(change)
}

/** Pasted lines become one, and nothing that is pasted can move the cursor. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}

const NAMED = [
  'upArrow',
  'downArrow',
  'leftArrow',
  'rightArrow',
  'pageUp',
  'pageDown',
  'home',
  'end',
  'return',
  'escape',
  'tab',
  'backspace',
  'delete',
] as const

const SHORT: Record<(typeof NAMED)[number], string> = {
  upArrow: 'up',
  downArrow: 'down',
  leftArrow: 'left',
  rightArrow: 'right',
  pageUp: 'pageup',
  pageDown: 'pagedown',
  home: 'home',
  end: 'end',
  return: 'enter',
  escape: 'esc',
  tab: 'tab',
  backspace: 'backspace',
  delete: 'delete',
}

const TYPED_IN: ReadonlySet<Place> = new Set<Place>(['list', 'preview', 'menu', 'prompt'])

const EDITS: Record<string, Edit> = {
  left: { go: 'left' },
  right: { go: 'right' },
  'ctrl+left': { go: 'word left' },
  'ctrl+right': { go: 'word right' },
  'alt+b': { go: 'word left' },
  'alt+f': { go: 'word right' },
  home: { go: 'start' },
  end: { go: 'end' },
  'ctrl+a': { go: 'start' },
  'ctrl+e': { go: 'end' },
  backspace: { erase: 'before' },
  delete: { erase: 'after' },
  'ctrl+w': { erase: 'word' },
  'alt+backspace': { erase: 'word' },
  'ctrl+u': { erase: 'to start' },
  'ctrl+k': { erase: 'to end' },
}

function edit(change: Edit): Action {
  return { do: 'edit', edit: change }
}

/** Ctrl-C tells a script that called us that the person broke off. */
const EVERYWHERE: Binding[] = [
  { keys: ['ctrl+c'], shown: '^C', does: 'leave', action: { do: 'leave', code: EXIT.interrupted } },
  { keys: ['ctrl+q'], does: 'leave', action: { do: 'leave', code: 0 } },
]

const MOVING: Binding[] = [
  {
    keys: ['up', 'ctrl+p'],
    shown: '↑ ↓',
    does: 'move; Page Up and Page Down go further',
    action: { do: 'move', by: -1 },
  },
  { keys: ['down', 'ctrl+n'], does: 'down', action: { do: 'move', by: 1 } },
  { keys: ['pageup'], does: 'a page up', action: { do: 'page', by: -1 } },
  { keys: ['pagedown'], does: 'a page down', action: { do: 'page', by: 1 } },
]

/** In the list a letter is part of the search, so that these go with Ctrl; in the reader both work. */
function withChat(letters: boolean): Binding[] {
  const keys = (control: string, letter: string) => (letters ? [letter, control] : [control])
  const shown = (control: string, letter: string) => (letters ? letter : control)
  return [
    {
      keys: keys('ctrl+y', 'c'),
      shown: shown('^Y', 'c'),
      does: 'copy the request, the id, or the command that resumes the chat',
      inFooter: 'copy',
      action: { do: 'choose copy' },
    },
    {
      keys: keys('ctrl+r', 'r'),
      shown: shown('^R', 'r'),
      does: 'leave, and resume the chat in its own assistant',
      inFooter: 'resume',
      action: { do: 'resume' },
    },
    {
      keys: keys('ctrl+x', 'e'),
      shown: shown('^X', 'e'),
      does: 'export the chat as Markdown',
      inFooter: 'export',
      action: { do: 'choose export' },
    },
    {
      keys: keys('ctrl+s', 's'),
      shown: shown('^S', 's'),
      does: 'star or unstar the chat',
      inFooter: 'star',
      action: { do: 'star' },
    },
    {
      keys: keys('ctrl+o', 'o'),
      shown: shown('^O', 'o'),
      does: "open the chat's file, or the folder of its project",
      inFooter: 'file',
      action: { do: 'choose path' },
    },
  ]
}

const HELP: Binding = {
  keys: ['?'],
  shown: '?',
  does: 'this help',
  inFooter: 'help',
  action: { do: 'help' },
}

/** The first that knows a key has it. */
export const BINDINGS: Record<Place, Binding[]> = {
  list: [
    ...MOVING,
    { keys: ['enter'], shown: 'Enter', does: 'open the chat', inFooter: 'open', action: { do: 'open' } },
    {
      keys: ['tab'],
      shown: 'Tab',
      does: 'scroll in the preview, and back',
      inFooter: 'preview',
      action: { do: 'focus' },
    },
    {
      keys: ['ctrl+f'],
      shown: '^F',
      does: 'filter: assistant, project, time, who spoke, starred, spelling',
      inFooter: 'filter',
      action: { do: 'choose filter' },
    },
    ...withChat(false),
    {
      keys: ['ctrl+l'],
      shown: '^L',
      does: 'saved searches: run one, save this one, remove one',
      inFooter: 'saved',
      action: { do: 'choose saved' },
    },
    {
      keys: ['ctrl+t'],
      shown: '^T',
      does: 'mark the chat, or unmark it: copying aside, keys then act on all that are marked',
      inFooter: 'mark',
      action: { do: 'mark' },
    },
    {
      keys: ['ctrl+g'],
      shown: '^G',
      does: 'leave, and read the marked chats merged in time order',
      action: { do: 'gather' },
    },
    {
      keys: ['ctrl+d'],
      shown: '^D',
      does: 'erase the marked chats, or this one, for good; asks first',
      action: { do: 'choose forget' },
    },
    HELP,
    {
      keys: ['esc'],
      shown: 'Esc',
      does: 'clear the marks, the words, then the filters, then leave',
      action: { do: 'back' },
    },
  ],
  preview: [
    ...MOVING,
    { keys: ['enter'], shown: 'Enter', does: 'open the chat', inFooter: 'open', action: { do: 'open' } },
    {
      keys: ['tab', 'shift+tab', 'esc'],
      shown: 'Tab',
      does: 'back to the list',
      inFooter: 'back to the list',
      action: { do: 'focus' },
    },
    { keys: ['home'], does: 'first message', action: { do: 'edge', to: 'start' } },
    { keys: ['end'], does: 'last message', action: { do: 'edge', to: 'end' } },
    { keys: ['ctrl+f'], does: 'filter', action: { do: 'choose filter' } },
    ...withChat(false),
    HELP,
  ],
  reader: [
    ...MOVING,
    {
      keys: ['esc', 'q', 'backspace'],
      shown: 'Esc',
      does: 'back to the list',
      inFooter: 'back',
      action: { do: 'back' },
    },
    {
      keys: ['right', ']', 'J'],
      shown: '← →',
      does: 'the request before, the next one',
      inFooter: 'requests',
      action: { do: 'request', direction: 1 },
    },
    { keys: ['left', '[', 'K'], does: 'the request before', action: { do: 'request', direction: -1 } },
    {
      keys: ['/', 'ctrl+f'],
      shown: '/',
      does: 'find in this chat',
      inFooter: 'find',
      action: { do: 'prompt', for: 'find', title: 'Find in this chat', text: '' },
    },
    {
      keys: ['n'],
      shown: 'n N',
      does: 'the next place found, the one before: of what is looked for here, else of the search',
      action: { do: 'find next', direction: 1 },
    },
    { keys: ['N'], does: 'the one found before', action: { do: 'find next', direction: -1 } },
    {
      keys: ['t'],
      shown: 't',
      does: 'all that tools were asked and answered, or the first line of it',
      inFooter: 'tools',
      action: { do: 'tools' },
    },
    ...withChat(true),
    HELP,
    { keys: ['k'], does: 'up', action: { do: 'move', by: -1 } },
    { keys: ['j', 'enter'], does: 'down', action: { do: 'move', by: 1 } },
    {
      keys: [' ', 'f', 'ctrl+d'],
      shown: 'Space b',
      does: 'a page down, a page up',
      action: { do: 'page', by: 1 },
    },
    { keys: ['b', 'ctrl+u'], does: 'a page up', action: { do: 'page', by: -1 } },
    {
      keys: ['home', 'g'],
      shown: 'g G',
      does: 'the beginning, the end',
      action: { do: 'edge', to: 'start' },
    },
    { keys: ['end', 'G'], does: 'the end', action: { do: 'edge', to: 'end' } },
  ],
  menu: [
    ...MOVING,
    { keys: ['enter'], shown: 'Enter', does: 'choose', inFooter: 'choose', action: { do: 'submit' } },
    { keys: ['esc'], shown: 'Esc', does: 'back', inFooter: 'back', action: { do: 'back' } },
  ],
  prompt: [
    { keys: ['enter'], shown: 'Enter', does: 'do it', inFooter: 'do it', action: { do: 'submit' } },
    { keys: ['esc'], shown: 'Esc', does: 'back', inFooter: 'back', action: { do: 'back' } },
  ],
  help: [
    ...MOVING,
    {
      keys: ['esc', 'enter', 'q', '?', ' '],
      shown: 'Esc',
      does: 'back',
      inFooter: 'back',
      action: { do: 'back' },
    },
    { keys: ['k'], shown: '↑ ↓', does: 'up', inFooter: 'scroll', action: { do: 'move', by: -1 } },
    { keys: ['j'], does: 'down', action: { do: 'move', by: 1 } },
  ],
}
