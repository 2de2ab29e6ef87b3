// A person who has no mouse: keys go to whatever has the focus, and the focus goes by Tab. What is
// looked for is found as a screen reader tells it, by its name; nothing is clicked or focused by a
// selector.
import type { Page } from 'playwright-core'

const MAX_TABS = 220

const MENU_MS = 10_000

/** `role`: where two things are called alike. */
type TabOptions = { readonly isBack?: boolean; readonly role?: string }

export type Keyboard = {
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** Tab until what has the focus is called so; the keys that it takes are counted. */
  to(name: string | RegExp, options?: TabOptions): Promise<void>
  /** Opens the menu that has the focus, and goes to one of its acts by arrows. */
  menu(item: string): Promise<void>
  readonly keys: number
}

/** Also inside of shadow trees: the query line lives in one. */
const READ_FOCUSED = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  if (at === null || at === document.body) return ''
  const by = at.getAttribute('aria-labelledby')
  const told = by && by.split(' ').map((id) => document.getElementById(id)?.textContent).join(' ')
  const label = at.labels?.[0]
  const own = label && (label.querySelector('span')?.textContent ?? label.textContent)
  const name = at.getAttribute('aria-label') || told || own || at.textContent || at.title
  return (name ?? '').trim().replace(/\\s+/g, ' ') + '\\n' + (at.getAttribute('role') ?? '')
})()`

export function makeKeyboard(page: Page): Keyboard {
  const { keyboard } = page
  let keys = 0
  const press = async (...pressed: readonly string[]) => {
    for (const key of pressed) {
      keys += 1
      await keyboard.press(key)
    }
  }
  const type = async (text: string) => {
    keys += text.length
    await keyboard.type(text)
  }
  const focused = async () => {
    const [name = '', role = ''] = (await page.evaluate<string>(READ_FOCUSED)).split('\n')
    return { name, role }
  }
  return {
    press,
    type,
    to: async (wanted, { isBack = false, role } = {}) => {
      const met: string[] = []
      for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
        const now = await focused()
        const isIt = typeof wanted === 'string' ? now.name === wanted : wanted.test(now.name)
        if (isIt && (role === undefined || role === now.role)) return
        met.push(now.name)
        await press(isBack ? 'Shift+Tab' : 'Tab')
      }
      throw new Error(`Tab meets no ${wanted}: ${[...new Set(met)].join(' · ')}`)
    },
    menu: async (item) => {
      await press('Enter')
      const deadline = performance.now() + MENU_MS
      // A person sees that it is open.
      while ((await focused()).role !== 'menuitem')
        if (performance.now() > deadline) throw new Error('no menu has opened')
      for (let steps = 0; steps < MAX_TABS; steps += 1) {
        if ((await focused()).name === item) return await press('Enter')
        await press('ArrowDown')
      }
      throw new Error(`the menu has no ${item}`)
    },
    get keys() {
      return keys
    },
  }
}
