import type { Language } from './prose.ts'
import type { Assistant } from './script.ts'

/** Something that was said once, in one chat, and that a search has to find again. */
export interface Needle {
  /** What somebody looks for later: not always in the words and forms that were used. */
  query: string
  chatId: string
  assistant: Assistant
  language: Language
  in: 'request' | 'answer' | 'tool'
  text: string
}

/** One in each ninth of the time. */
export const needles: readonly Needle[] = [
  {
    query: 'heron relay seventh heartbeat',
    chatId: '0e7c1f52-6a0b-4c1d-9b3e-71d5a4f0c801',
    assistant: 'claude-code',
    language: 'en',
    in: 'request',
    text: 'The heron relay drops every seventh heartbeat after a failover, but only on the standby node. Why?',
  },
  {
    query: 'гиацинтовый шлюз теряет подтверждения',
    chatId: '1b90d3a6-42ce-4f0a-8d57-0f6be2c97a02',
    assistant: 'vscode',
    language: 'ru',
    in: 'request',
    text: 'Почему гиацинтовый шлюз потерял каждое девятое подтверждение после переключения реплики?',
  },
  {
    query: 'E_WOMBAT_4471',
    chatId: '2c35e8f1-97ab-4e64-b0c2-5d18a6e37b03',
    assistant: 'claude-code',
    language: 'en',
    in: 'tool',
    text: 'fatal: E_WOMBAT_4471 ledger checksum mismatch in segment 00c0ffee17',
  },
  {
    query: '紫藤租约',
    chatId: '3d7f20b4-1c58-4a96-a3e1-8b4c09d25e04',
    assistant: 'copilot-cli',
    language: 'zh',
    in: 'answer',
    text: '最后决定采用紫藤租约，九十秒过期，每三十秒续约一次。',
  },
  {
    query: 'marigold lease renewal',
    chatId: '4e12a9c7-5f83-4d3b-9e60-c27f1b8d4605',
    assistant: 'copilot-cli',
    language: 'en',
    in: 'answer',
    text: 'We settled on marigold leases of ninety seconds, renewed at a third of their life.',
  },
  {
    query: 'янтарный снимок журнала',
    chatId: '5f64b1d8-0e29-4b7c-8f15-d93a6c2e7106',
    assistant: 'claude-code',
    language: 'ru',
    in: 'answer',
    text: 'Решили хранить янтарные снимки журнала сорок дней и сверять их по воскресеньям.',
  },
  {
    query: 'reconcileOspreyManifest',
    chatId: '60a8c3e9-8b47-4c05-b6d4-1e5f7a902c07',
    assistant: 'vscode',
    language: 'en',
    in: 'answer',
    text: 'The culprit is `reconcileOspreyManifest`: it sorts by name, and the caller expects insertion order.',
  },
  {
    query: '琥珀网关 心跳包',
    chatId: '71bbd4fa-39d0-4e8f-97a2-6c08e1b5f308',
    assistant: 'claude-code',
    language: 'zh',
    in: 'request',
    text: '为什么琥珀网关切换副本以后，总是丢失第九个心跳包？',
  },
  {
    query: '8d41f0b7-2c6e-4a95-b1d3-e07c95fa6d12',
    chatId: '82cce50b-d71a-4fb2-8c39-4a90b6f7e109',
    assistant: 'claude-code',
    language: 'en',
    in: 'tool',
    text: 'request=8d41f0b7-2c6e-4a95-b1d3-e07c95fa6d12 was answered twice',
  },
]
