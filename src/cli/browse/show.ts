import { render } from 'ink'
import { createElement as h } from 'react'
import { App } from './app.ts'
import type { Browser, Outcome } from './browser.ts'
import { libraryIsThere } from './library-is-there.ts'
import { MOUSE_OFF, MOUSE_ON, withMouse } from './mouse.ts'
import { themeFor } from './theme.ts'

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGBREAK: 130 } as const

/**
 * Shows the browser on a screen of its own until the person leaves. However that comes about, the
 * terminal is then as it was: its screen, its cursor, its keys.
 */
export async function show(browser: Browser, { mouse = true } = {}): Promise<Outcome> {
  await libraryIsThere
  const crash = Promise.withResolvers<never>()
  const signals = Object.entries(SIGNALS).map(([signal, code]) => ({
    signal,
    leave: () => browser.do({ do: 'leave', code }),
  }))
  for (const { signal, leave } of signals) process.on(signal, leave)
  process.on('uncaughtException', crash.reject)
  // A terminal window that was closed.
  const gone = () => browser.do({ do: 'leave', code: SIGNALS.SIGHUP })
  process.stdin.once('end', gone)
  // Keys typed while we started may have been echoed: the screen begins where the cursor is.
  process.stdout.write('\r')
  const leaveMouse = mouse ? withMouse(process.stdin, (done) => browser.point(done)) : () => {}
  const screen = render(h(App, { browser, theme: themeFor(process.env) }), {
    alternateScreen: true,
    interactive: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    maxFps: 60,
  })
  if (mouse) process.stdout.write(MOUSE_ON)
  const failed = screen.waitUntilExit().then(() => ({ code: 0 }))
  try {
    return await Promise.race([browser.left, failed, crash.promise])
  } finally {
    if (mouse) process.stdout.write(MOUSE_OFF)
    leaveMouse()
    browser.close()
    screen.unmount()
    await failed.catch(() => {})
    process.stdin.off('end', gone)
    // Keys that are typed from now on are not for us.
    process.stdin.pause()
    process.off('uncaughtException', crash.reject)
    for (const { signal, leave } of signals) process.off(signal, leave)
  }
}
