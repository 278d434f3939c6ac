import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Frame, Page } from 'playwright-core'

/**
 * What a person sees and does in the window. Tests run in VS Code's extension host, from where the
 * window cannot be reached, so they ask over loopback: inside/window.ts.
 */
export type Hands = ReturnType<typeof handsOf>

export interface Outcome {
  title: string
  ms: number
  error?: string
  /** The version at hand cannot do what it asks for. */
  skipped?: boolean
}

/** Who is told how the tests go. */
export interface Listener {
  report(outcome: Outcome): void
  note(words: string): void
  end(): void
}

const LIMIT = { timeout: 60_000 }

export function handsOf(
  page: Page,
  listener: Listener,
  folders: { logs: string; pictures: string; steps: string },
) {
  return {
    async report(outcome: Outcome) {
      listener.report(outcome)
      const name = outcome.title.replaceAll(/[^a-z]+/gi, '-')
      if (outcome.error) await page.screenshot({ path: path.join(folders.logs, `failed-${name}.png`) })
    },
    /** All tests have run. */
    async end() {
      listener.end()
    },
    /** A measurement for the person who runs the tests. */
    async note(words: string) {
      listener.note(words)
    },
    /** Clicks the last that matches. */
    async click(selector: string, { has }: { has?: string } = {}) {
      // What pops up beside the pointer would be in the way.
      await page.mouse.move(0, 0)
      await page.locator(selector).filter({ hasText: has, visible: true }).last().click(LIMIT)
    },
    /** A key, for what has the focus or, better, for what is named. */
    async press(key: string, { at }: { at?: string } = {}) {
      if (at) await page.locator(at).last().press(key, LIMIT)
      else await page.keyboard.press(key)
    },
    /** Instead of what the input holds. */
    async type(words: string, { at }: { at: string }) {
      await page.locator(at).last().fill(words, LIMIT)
    },
    async valueOf(input: string) {
      return await page.locator(input).last().inputValue(LIMIT)
    },
    /** The visible text of everything that matches. */
    async texts(selector: string) {
      return await page.locator(selector).allInnerTexts()
    },
    async attributes(selector: string, name: string) {
      const elements = page.locator(selector)
      return await elements.evaluateAll((all, key) => all.map((each) => each.getAttribute(key) ?? ''), name)
    },
    /** The text of each webview's page. */
    async webviews() {
      return (await inWebviews(page, async (frame) => await frame.locator('body').allInnerTexts())).flat()
    },
    /** How many elements of the webviews' pages match. */
    async countInWebviews(selector: string) {
      const counts = await inWebviews(page, async (frame) => await frame.locator(selector).count())
      return counts.reduce((sum, each) => sum + each, 0)
    },
    async attributesInWebviews(selector: string, name: string) {
      const asked = await inWebviews(page, async (frame) =>
        frame
          .locator(selector)
          .evaluateAll((all, key) => all.map((each) => each.getAttribute(key) ?? ''), name),
      )
      return asked.flat()
    },
    async clickInWebview(
      selector: string,
      { has, button }: { has?: string; button?: 'left' | 'right' } = {},
    ) {
      for (const frame of page.frames().filter(isWebview)) {
        const found = frame.locator(selector).filter({ hasText: has }).first()
        if ((await found.count()) > 0) return await found.click({ ...LIMIT, button })
      }
      throw new Error(`no webview has ${selector}`)
    },
    /** Makes the side bar so wide, by its edge. */
    async widen(toPixels: number) {
      const box = await page.locator('.part.sidebar').boundingBox()
      if (!box) throw new Error('there is no side bar')
      await page.mouse.move(box.x + box.width, box.y + 300)
      await page.mouse.down()
      await page.mouse.move(box.x + toPixels, box.y + 300, { steps: 8 })
      await page.mouse.up()
      return (await page.locator('.part.sidebar').boundingBox())?.width ?? 0
    },
    async picture(name: string, { of }: { of?: string } = {}) {
      // The title says only that an extension is being developed.
      await page.addStyleTag({ content: '.titlebar-center { visibility: hidden }' })
      await page.mouse.move(0, 0)
      const file = path.join(folders.pictures, `vscode-${name}.png`)
      if (of) await page.locator(of).first().screenshot({ path: file })
      else await page.screenshot({ path: file })
    },
    /** A part of the window, from the upper left corner of something, for a step of the walkthrough. */
    async stepPicture(name: string, { of, width, height }: { of: string; width: number; height: number }) {
      const { x, y } = (await page.locator(of).filter({ visible: true }).first().boundingBox())!
      const input = await page.screenshot({ clip: { x, y, width, height } })
      // To 256 colours, which is a third of the bytes.
      const small = execFileSync('pngquant', ['--strip', '--speed', '1', '256', '-'], { input })
      fs.writeFileSync(path.join(folders.steps, `${name}.png`), small)
    },
  }
}

/** Lets the tests call the hands by name; the address to give to them. */
export async function startBridge(hands: () => Hands): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer(async (request, response) => {
    try {
      const { name, args } = JSON.parse(await text(request))
      const act: ((...given: unknown[]) => Promise<unknown>) | undefined = Reflect.get(hands(), name)
      if (!act) throw new Error(`there are no hands for ${name}`)
      response.end(JSON.stringify({ value: await act(...args) }))
    } catch (error) {
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A page that is closed while it is asked has nothing to say. */
async function inWebviews<T>(page: Page, ask: (frame: Frame) => Promise<T>): Promise<T[]> {
  const asked = await Promise.allSettled(page.frames().filter(isWebview).map(ask))
  return asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
}

/** A webview is a frame in a frame: the outer one is VS Code's, the inner one the extension's page. */
function isWebview(frame: Frame): boolean {
  return frame.parentFrame()?.url().includes('/webview/') === true
}
