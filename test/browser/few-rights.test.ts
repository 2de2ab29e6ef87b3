// Someone who may view one log walks through every page: neither a page nor an answer to it tells
// of anything else, and each page says what it can.
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OPERATIONS, type Operation } from '../../schemas/users.ts'
import { NO_CHROMIUM, type Seen } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { CONSOLE_PAGES } from '../support/browser/every-page.ts'
import { makeCommands } from '../support/browser/fill-console.ts'
import { EACH_LOG, fillSealed, READER, SEALED } from '../support/browser/fill-sealed.ts'
import { watchRequests } from '../support/browser/watch-requests.ts'
import { makeCollectedFolder } from '../support/run/collected-folder.ts'
import { SOON } from '../support/run/patience.ts'
import { describeUnless } from '../support/run/skip.ts'

const DAY = 'interval=last24Hours'
/** Things of the sample world are not here, and most of Manage is refused before it asks. */
const PATHS = CONSOLE_PAGES.map(({ path }) => path).filter(
  (path) => !path.includes('/manage/') || /tree|own|silent|rejected/.test(path),
)
/** With them nobody knows of what others have made. */
const OWN_ONLY: readonly Operation[] = [
  'data.monitors',
  'data.dashboards',
  'data.logs',
  'search.cancelAll',
  'system.settings',
]
const OPEN_TO_ALL = ['Folders and logs', 'My account', 'Silent logs', 'Rejected events']
const CHANGE_THERE: readonly Operation[] = ['data.logs', 'system.operate', 'system.security']
const ROLES = { LOGEYE_ROLES: 'listener,query,writer,scheduler,store,collector' }

const sectionsOf = async (page: Page) =>
  await page.getByRole('navigation', { name: 'Manage' }).getByRole('link').allTextContents()
/** Of sections of Manage that links in this part of the page lead to. */
const addressesOf = async (page: Page, part: string) =>
  await page
    .locator(`${part} a[href*="/manage/"]`)
    .evaluateAll((links) => links.map((link) => new URL(Reflect.get(link, 'href')).pathname))

describeUnless(NO_CHROMIUM, 'few rights', () => {
  let test: ConsoleTest
  let seen: Seen
  let settled: () => Promise<void>
  let directory: string
  /** Of each answer to the page since the last look: path and text. */
  let answers: Promise<readonly [string, string]>[] = []
  beforeAll(async () => {
    directory = makeCollectedFolder()
    test = await openConsoleTest({ environment: ROLES })
    await fillSealed(test, directory)
    seen = await test.openSignedIn('/logeye/', { as: READER })
    settled = watchRequests(seen.page)
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
    await settled()
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

  it.each([...new Set(PATHS)])('%s tells of nothing else', async (path) => {
    await expectSealed(await look(path))
  })

  it('offers the sections that she may open, and says of others that she may not', async () => {
    await look('/logeye/manage')
    await expect.poll(() => sectionsOf(seen.page), SOON).toEqual(OPEN_TO_ALL)
    await look('/logeye/manage/rejected')
    await seen.page.getByText('that you may view').first().waitFor()
    await look('/logeye/manage/storage?tab=holds')
    await seen.page.getByText('Your rights do not reach this page').waitFor()
    expect(await seen.page.content()).not.toContain('New legal hold')
    await seen.page.keyboard.press('Control+K')
    await seen.page.keyboard.type('l')
    // Silent logs.
    const places = seen.page.getByRole('dialog').getByRole('option')
    await places.filter({ hasText: 'Silent' }).first().waitFor()
    // They are there: from here on they are filtered as one types.
    await seen.page.keyboard.type('is')
    await expect.poll(() => places.filter({ hasText: 'Silent' }).count(), SOON).toBe(0)
    expect((await places.allTextContents()).join()).not.toContain('Listeners')
  })

  it('offers nobody a section that is refused to him', async () => {
    const run = makeCommands(test.product)
    const operations = OPERATIONS.filter((it) => it !== 'system' && it !== 'data')
    for (const operation of operations) {
      const name = operation.replace('.', '-').toLowerCase()
      await run('securityPolicies', { action: 'add', policyName: name, operations: operation })
      const person = { userName: name, userPassword: READER.password, policy: name }
      await run('securityUsers', { action: 'add', ...person })
      const { page, context } = await test.openSignedIn('/logeye/manage', {
        as: { name, password: READER.password },
      })
      const rested = watchRequests(page)
      const refused: string[] = []
      const away: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${operation}: ${response.url()}`)
      })
      // One's own account is offered to all.
      await page.locator('.manage-nav [href$="/own"]').waitFor()
      const offered = await addressesOf(page, '.manage-nav')
      const sections = await sectionsOf(page)
      expect(sections).toEqual(expect.arrayContaining(OPEN_TO_ALL))
      for (const section of sections) {
        // They are as for whoever has no right, but for what these three may change there.
        if (OPEN_TO_ALL.includes(section) && !CHANGE_THERE.includes(operation)) continue
        await page.getByRole('link', { name: section, exact: true }).click()
        await page.locator('.manage-nav [aria-current=page]', { hasText: section }).waitFor()
        await rested()
        for (const path of await addressesOf(page, '.manage-main'))
          if (!offered.includes(path)) away.push(`${operation}: ${section} leads to ${path}`)
        if (OWN_ONLY.includes(operation)) expect(await page.content()).not.toContain(SEALED)
      }
      expect([...refused, ...away]).toEqual([])
      await context.close()
    }
  })

  it('offers to remove no hold of what one may not view', async () => {
    const run = makeCommands(test.product)
    const holder = { name: 'holder', password: READER.password }
    const policy = { policyName: holder.name, operations: 'system.operate' }
    await run('securityPolicies', { action: 'add', ...policy })
    const person = { userName: holder.name, userPassword: holder.password, policy: holder.name }
    await run('securityUsers', { action: 'add', ...person })
    const path = '/logeye/manage/storage?tab=holds'
    const { page, context } = await test.openSignedIn(path, { as: holder })
    await page.getByText('something that you may not view').waitFor()
    expect(await page.getByRole('button', { name: 'New legal hold' }).count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
    await context.close()
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
      await settled()
      await expectSealed((await page.locator('body').textContent()) ?? '')
    }
  })
})
