import { spawn } from 'node:child_process'

/** Opens a link in the person's browser, where there is one to see; says whether it tried. */
export function openInBrowser(link: string, { platform, env } = process): boolean {
  const isRemote = Boolean(env.SSH_CONNECTION || env.CI)
  const hasScreen = platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (isRemote || !hasScreen || !process.stdout.isTTY) return false
  const [command, args] =
    platform === 'darwin'
      ? ['open', [link]]
      : platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', link]]
        : ['xdg-open', [link]]
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  // The link is printed all the same.
  child.on('error', () => {})
  child.unref()
  return true
}
