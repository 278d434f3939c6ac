import { spawn } from 'node:child_process'
import { ofWindows } from '../platform/program.ts'

type System = Pick<NodeJS.Process, 'platform' | 'env'> & { stdout: { isTTY: boolean } }

/** Opens a link in the person's browser, where there is one to see; says whether it tried. */
export function openInBrowser(link: string, { platform, env, stdout }: System = process): boolean {
  const isRemote = Boolean(env.SSH_CONNECTION || env.CI)
  const hasScreen = platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (isRemote || !hasScreen || !stdout.isTTY) return false
  const [command, args] =
    platform === 'darwin'
      ? ['open', [link]]
      : platform === 'win32'
        ? [ofWindows('rundll32.exe', env), ['url.dll,FileProtocolHandler', link]]
        : ['xdg-open', [link]]
  const child = spawn(command, args, { stdio: 'ignore', detached: true, env })
  // The link is printed all the same.
  child.on('error', () => {})
  child.unref()
  return true
}
