import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as vscode from 'vscode'
import type { Machine } from '../../src/platform/machine.ts'
import type { Settings } from './settings.ts'

/** Where this window's editor keeps its things. */
export interface Places {
  /** The editor's `User` folder, wherever `--user-data-dir` or a portable installation put it. */
  user: string
  /** The dialogs of this very window. */
  chats: string
}

export function placesOf(context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>): Places {
  const global = path.dirname(context.globalStorageUri.fsPath)
  const profile = path.dirname(global)
  const user =
    path.basename(path.dirname(profile)) === 'profiles' ? path.dirname(path.dirname(profile)) : profile
  const storage = context.storageUri && firstWindow(path.dirname(context.storageUri.fsPath))
  // Dialogs of windows without a folder always belong to the default profile.
  const chats = storage
    ? path.join(storage, 'chatSessions')
    : path.join(user, 'globalStorage', 'emptyWindowChatSessions')
  return { user, chats }
}

/** A second window on the same folder gets storage of its own, `…-1`; the dialogs stay with the first. */
function firstWindow(storage: string): string {
  return storage.replace(/(?<=[\da-f])-[1-9]$/, '')
}

/** The name under which we keep what `noteFolder` notes. VS Code's own file of this name lies one folder above. */
const FOLDER_NOTE = 'workspace.json'

/**
 * Notes which folder this window's storage is for, in our own part of it: the desktop does so itself,
 * a server does not.
 */
export function noteFolder({ storageUri }: Pick<vscode.ExtensionContext, 'storageUri'>): void {
  const [folder] = vscode.workspace.workspaceFolders ?? []
  if (!storageUri || !folder) return
  const { workspaceFile } = vscode.workspace
  const note = workspaceFile ? { workspace: workspaceFile.toString() } : { folder: folder.uri.toString() }
  try {
    fs.mkdirSync(storageUri.fsPath, { recursive: true })
    fs.writeFileSync(path.join(storageUri.fsPath, FOLDER_NOTE), JSON.stringify(note))
  } catch {
    // Only dialogs of a folder that is moved later are not found then.
  }
}

/** This machine, as the archive and the sources see it. */
export function machineOf({ user }: Places, { archiveFolder }: Settings): Machine {
  const env: Machine['env'] = { ...process.env, RECOLLECT_VSCODE_USER: user }
  if (archiveFolder) env.RECOLLECT_HOME = archiveFolder.replace(/^~(?=$|[\\/])/, os.homedir())
  return { platform: process.platform, home: os.homedir(), env }
}

/** The folder that the person works in: that of the active editor, else the first. */
export function openFolder(): vscode.WorkspaceFolder | undefined {
  const active = vscode.window.activeTextEditor?.document.uri
  const ofEditor = active && vscode.workspace.getWorkspaceFolder(active)
  return ofEditor ?? vscode.workspace.workspaceFolders?.[0]
}

/** The same as a path on this machine; nothing where it is on another one. */
export function localFolder(): string | undefined {
  const folder = openFolder()
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined
}
