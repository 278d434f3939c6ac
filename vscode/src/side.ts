import * as vscode from 'vscode'
import { t } from './words.ts'

/** In a remote window there are two machines, and chats on both. */
export interface Side {
  /** Where the extension runs, and so whose archive is shown. */
  of: 'local' | 'remote'
  /** That machine, for people. */
  name: string
  /** The other one; missing where nothing of ours can run there. */
  other?: string
}

export interface Window {
  remoteName: string | undefined
  isUi: boolean
  /** A browser has no machine of its own to look at. */
  isWeb: boolean
}

export function sideIn({ remoteName, isUi, isWeb }: Window): Side | undefined {
  if (!remoteName) return undefined
  const here = t('This Computer')
  const there = remoteLabel(remoteName)
  if (isUi) return { of: 'local', name: here, other: there }
  return { of: 'remote', name: there, ...(!isWeb && { other: here }) }
}

export function sideOf({ isUi }: { isUi: boolean }): Side | undefined {
  const { remoteName, uiKind } = vscode.env
  return sideIn({ remoteName, isUi, isWeb: uiKind === vscode.UIKind.Web })
}

const LABELS: Record<string, string> = {
  wsl: 'WSL',
  'ssh-remote': 'SSH',
  'dev-container': 'Dev Container',
  'attached-container': 'Container',
  codespaces: 'Codespaces',
  tunnel: 'Tunnel',
}

function remoteLabel(name: string): string {
  return LABELS[name] ?? name.replace(/:\d+$/, '')
}
