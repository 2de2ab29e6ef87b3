// Tasks of people, done by keys alone: each is a test, and prints its keys and its time.
import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Seen } from './chromium.ts'
import { type Keyboard, makeKeyboard } from './keyboard.ts'
import { tellPage } from './tell-failure.ts'

export type AtWork = Keyboard & {
  readonly page: Page
  readonly context: BrowserContext
  /** As typed into the bar of the browser. */
  open(path: string): Promise<void>
  /** Waits until the page says it. */
  sees(text: string | RegExp): Promise<void>
}

export type Task = (name: string, work: (at: AtWork) => Promise<void>) => void

const SOON_MS = 30_000

/** What comes when the page, the store and a busy machine are done. */
export function soon<Value>(read: () => Value | Promise<Value>, interval = 100) {
  return expect.poll(read, { timeout: SOON_MS, interval })
}

/** Every task begins in the page where the one before has ended, as a day of work does. */
export function makeTasks(seen: () => Seen, url: () => string): Task {
  return (name, work) => {
    it(name, async () => {
      const { page, context, faults } = seen()
      const keyboard = makeKeyboard(page)
      const at: AtWork = Object.assign(Object.create(keyboard), {
        page,
        context,
        open: async (path: string) => {
          await page.goto(`${url()}${path}`)
          await page.getByRole('navigation').first().waitFor()
        },
        sees: async (text: string | RegExp) => {
          await page.getByText(text).first().waitFor()
        },
      })
      const started = performance.now()
      try {
        await work(at)
      } catch (error) {
        await tellPage(page)
        // What the person saw.
        const folder = process.env.LOGEYE_TEST_PICTURES
        const path = `${folder}/${name.replaceAll(/\W+/g, '-')}.png`
        if (folder !== undefined) await page.screenshot({ path })
        throw error
      }
      const ms = Math.round(performance.now() - started)
      console.info(`${name}: ${keyboard.keys} keys, ${ms} ms`)
      expect(faults).toEqual([])
      expect(keyboard.keys).toBeGreaterThan(0)
    })
  }
}
