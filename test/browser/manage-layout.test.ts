// That the pages of Manage fit: lists of storage on a phone and on a small screen, and fields of
// forms to what they hold.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessFaults } from '../support/browser/access-faults.ts'
import { NO_CHROMIUM } from '../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../support/browser/console.ts'
import { makeCommands } from '../support/browser/fill-console.ts'
import { fillPast, PAST_DAYS } from '../support/browser/fill-past.ts'
import { describeUnless } from '../support/run/skip.ts'

const MANAGE = '/logeye/manage'
const LOG = 'Events->Default'
const REASON = 'Case 2026-117: asked for by the authority, until it is closed'
const WAIT = { timeout: 240_000, interval: 250 }

describeUnless(NO_CHROMIUM, 'layout of Manage', () => {
  let test: ConsoleTest
  let archive = ''
  beforeAll(async () => {
    archive = mkdtempSync(join(tmpdir(), 'logeye-test-archive-'))
    test = await openConsoleTest({
      environment: { LOGEYE_ROLES: 'listener,query,writer,scheduler,store,collector' },
      past: { days: PAST_DAYS, fill: (then) => fillPast(then, archive) },
    })
    await test.send([{ message: 'order accepted', level: 'INFO' }])
  })
  afterAll(async () => {
    await test?.close()
    rmSync(archive, { recursive: true, force: true })
  })

  const run = (command: string, given: object = {}) => makeCommands(test.product)(command, given)

  /** What of the list is out of sight: the list itself, or text of a cell. */
  const findCut = (page: Page): Promise<unknown> =>
    page.evaluate(
      `[...document.querySelectorAll('.table-box, .table-box td')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ className, textContent }) => className + ': ' + textContent)`,
    )

  it('shows archives, holds and deletions whole on a phone and at 1024', async () => {
    await expect
      .poll(() => run('listArchives'), WAIT)
      .toMatchObject({ archives: [{ policy: 'Passing', state: 'done' }] })
    const hold = (given: object) =>
      expect
        .poll(() => run('addHold', { reason: REASON, ...given }).then(() => 'held', String), WAIT)
        .toBe('held')
    await hold({ log: 'Events->keep', from: '2026-03-01T00:00:00Z' })
    await hold({ policy: 'Passing', to: '2020-03-01T00:00:00Z' })
    await run('deleteData', { log: LOG, dryRun: 'false' })
    const { page, context, faults } = await test.openSignedIn(`${MANAGE}/storage?tab=archives`)
    for (const width of [390, 1024, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      for (const [name, text] of [
        ['archives', 'Passing'],
        ['holds', 'Case 2026-117'],
        ['deletions', LOG],
      ] as const) {
        await page.goto(`${test.product.url}${MANAGE}/storage?tab=${name}`)
        await page.locator('td', { hasText: text }).first().waitFor()
        expect(await findCut(page), `${name} at ${width}`).toEqual([])
        expect(await findAccessFaults(page), `${name} at ${width}`).toEqual([])
      }
    }
    expect(faults).toEqual([])
    await context.close()
  })

  it('gives a field the width that its kind of value needs', async () => {
    const { page, context, faults } = await test.openSignedIn(`${MANAGE}/collection?new=1`)
    const widthOf = async (label: string) => {
      const box = await page.getByLabel(label, { exact: true }).boundingBox()
      return box?.width ?? 0
    }
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByLabel('Storage days', { exact: true }).waitFor()
      const text = await widthOf('Description')
      expect(await widthOf('Storage days')).toBeLessThan(text / 2)
      expect(await widthOf('Storage max bytes')).toBeLessThan(text)
      expect(await widthOf('Storage max bytes')).toBeGreaterThan(await widthOf('Storage days'))
      expect(await widthOf('Archive checksum')).toBeLessThan(text)
    }
    expect(faults).toEqual([])
    await context.close()
  })

  it('completes the folder and the policy of a log, and takes a tag that is new', async () => {
    const { page, context, faults } = await test.openSignedIn(`${MANAGE}/tree?type=log&new=1`)
    const offered = (name: string) =>
      page.evaluate(
        `[...(document.querySelector('input[name=${name}]')?.list?.options ?? [])]
          .map(({ value }) => value)`,
      )
    await expect.poll(() => offered('parentFolder')).toContain('Events')
    await expect.poll(() => offered('collectionPolicy')).toContain('Passing')
    await page.getByLabel('Name', { exact: true }).fill('by-hand')
    await page.getByLabel('Parent folder').fill('Events')
    await page.getByLabel('Collection policy').fill('Keep')
    await page.getByLabel('App tags').fill('new-tag')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect
      .poll(() => run('list', { type: 'log', details: 'true' }), WAIT)
      .toMatchObject({
        objects: expect.arrayContaining([
          expect.objectContaining({
            name: 'Events->by-hand',
            arguments: expect.objectContaining({ collectionPolicy: 'Keep', appTags: 'new-tag' }),
          }),
        ]),
      })
    expect(faults).toEqual([])
    await context.close()
  })
})
