// The lists of Manage, as people use them.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const BEYOND_PX = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
  document.querySelector('.table-box'))`

/** Chooses of the menu of a row, by keys. */
export async function chooseAct(page: Page, row: RegExp, name: string): Promise<void> {
  // What lies behind a dialog takes no keys.
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('row', { name: row }).getByRole('button').press('Enter')
  await page.getByRole('menuitem', { name, exact: true }).press('Enter')
}

/** Of the list nothing is cut, neither on a phone nor on a small screen. */
export async function expectTableFits(page: Page): Promise<void> {
  const was = page.viewportSize()
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate(BEYOND_PX), { message: `${width} px` }).toBe(0)
  }
  if (was !== null) await page.setViewportSize(was)
}
