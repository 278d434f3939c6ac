import * as vscode from 'vscode'

export const { t } = vscode.l10n

export type Thing = 'chat' | 'message' | 'request' | 'assistant' | 'record' | 'earlier message'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** English has two forms, Russian three, Chinese one. What a language lacks is said in English. */
const FORMS: Record<Thing, { en: Forms; ru: Forms; zh: Forms }> = {
  chat: {
    en: { one: 'chat', other: 'chats' },
    ru: { one: 'чат', few: 'чата', other: 'чатов' },
    zh: { other: '个对话' },
  },
  message: {
    en: { one: 'message', other: 'messages' },
    ru: { one: 'сообщение', few: 'сообщения', other: 'сообщений' },
    zh: { other: '条消息' },
  },
  'earlier message': {
    en: { one: 'earlier message', other: 'earlier messages' },
    ru: { one: 'более раннее сообщение', few: 'более ранних сообщения', other: 'более ранних сообщений' },
    zh: { other: '条更早的消息' },
  },
  request: {
    en: { one: 'request', other: 'requests' },
    ru: { one: 'запрос', few: 'запроса', other: 'запросов' },
    zh: { other: '个请求' },
  },
  assistant: {
    en: { one: 'assistant', other: 'assistants' },
    ru: { one: 'ассистента', few: 'ассистентов', other: 'ассистентов' },
    zh: { other: '个助手' },
  },
  record: {
    en: { one: 'record', other: 'records' },
    ru: { one: 'запись', few: 'записи', other: 'записей' },
    zh: { other: '条记录' },
  },
}

/** `3 requests`, in the editor's language. */
export function count(number: number, thing: Thing): string {
  const language = spoken()
  const forms = FORMS[thing][language]
  const word = forms[new Intl.PluralRules(language).select(number)] ?? forms.other
  return `${number.toLocaleString(language)} ${word}`
}

/** The language that we have words in. */
export function spoken(): 'en' | 'ru' | 'zh' {
  const { language } = vscode.env
  return language?.startsWith('ru') ? 'ru' : language?.startsWith('zh') ? 'zh' : 'en'
}

const UNITS: [milliseconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [365 * 86_400_000, 'year'],
  [30 * 86_400_000, 'month'],
  [7 * 86_400_000, 'week'],
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

/** `5 minutes ago`. */
export function ago(
  at: number | undefined,
  now = Date.now(),
  style: Intl.RelativeTimeFormatStyle = 'long',
): string {
  if (at === undefined) return ''
  for (const [milliseconds, unit] of UNITS) {
    const number = Math.floor((now - at) / milliseconds)
    if (number >= 1) return new Intl.RelativeTimeFormat(spoken(), { style }).format(-number, unit)
  }
  return t('just now')
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
