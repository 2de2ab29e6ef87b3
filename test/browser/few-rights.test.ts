// Someone who may view one log walks through every page: neither a page nor an answer to it tells
// of anything else, and each page says what it can.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, type Seen } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { CONSOLE_PAGES, MANAGED_PAGES } from '../support/browser/every-page.ts'
import { EACH_LOG, fillSealed, READER, SEALED } from '../support/browser/fill-sealed.ts'

const QUIET_MS = 5000
const DAY = 'interval=last24Hours'
/** Things of the sample world are not here. */
const PATHS = [...new Set([...CONSOLE_PAGES, ...MANAGED_PAGES].map(({ path }) => path))].filter(
  (path) => !path.includes('item='),
)
const ROLES = { LOGEYE_ROLES: 'listener,query,writer,scheduler,store,collector' }

describe.skipIf(chromiumPath === undefined)('few rights (needs chromium)', () => {
  let test: ConsoleTest
  let seen: Seen
  let directory: string
  /** Of each answer to the page since the last look: path and text. */
  let answers: Promise<readonly [string, string]>[] = []
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'logeye-test-sealed-'))
    test = await openConsoleTest({ environment: ROLES })
    await fillSealed(test, directory)
    seen = await test.openSignedIn('/logeye/', { as: READER })
    seen.page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      // A live search does not end, and the pages themselves are the same for all.
      const isOpen = pathname.includes('/tail') || pathname.includes('/assets/')
      if (isOpen) return
      answers.push(
        response.text().then(
          (text) => [pathname, text] as const,
          () => [pathname, ''],
        ),
      )
    })
  })
  afterAll(async () => {
    await test?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const look = async (path: string): Promise<string> => {
    answers = []
    await seen.page.goto(`${test.product.url}${path}`)
    await seen.page.getByRole('navigation').first().waitFor()
    await seen.page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
    return (await seen.page.locator('body').textContent()) ?? ''
  }
  const expectSealed = async (shown: string) => {
    const telling = (await Promise.all(answers)).filter(([, text]) => text.includes(SEALED))
    expect(telling).toEqual([])
    expect(shown).not.toContain(SEALED)
    expect(await seen.page.content()).not.toContain(SEALED)
    expect(seen.faults).toEqual([])
  }

  it('shows the administrator what is sealed', async () => {
    const { page, context } = await test.openSignedIn(`/logeye/?${DAY}&query=*`)
    await page.getByText(`the ${SEALED} rose`).first().waitFor()
    expect(await page.content()).toContain(SEALED)
    await context.close()
  })

  it.each(PATHS)('%s tells of nothing else', async (path) => {
    await expectSealed(await look(path))
  })

  it('finds the one log, its shapes, columns and counts', async () => {
    const shown = await look(`/logeye/?${DAY}&query=*`)
    expect(shown).toContain('all can read')
    expect(shown).toContain(String(EACH_LOG))
    // What is looked through below is there.
    expect((await Promise.all(answers)).join()).toContain('all can read')
    await expectSealed(shown)
    for (const query of [
      '* | count | group by host',
      '* | count | group by level',
      'error',
      'rose',
    ])
      await expectSealed(await look(`/logeye/?${DAY}&query=${encodeURIComponent(query)}`))
  })

  it('completes names of what may be seen only', async () => {
    const { page } = seen
    await look(`/logeye/?${DAY}`)
    for (const typed of [
      'lo',
      'log.',
      'folder.',
      'apptag.',
      'type.',
      'colu',
      'z',
      'host = ',
      'ho',
    ]) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('/')
      // Chromium puts a style of its own on what is typed over coloured text, which the policy of
      // the page refuses.
      await page.keyboard.press('Control+A')
      await page.keyboard.press('Delete')
      await page.keyboard.type(typed)
      await page.keyboard.press('Control+Space')
      await page.waitForLoadState('networkidle', { timeout: QUIET_MS })
      await expectSealed((await page.locator('body').textContent()) ?? '')
    }
  })
})
