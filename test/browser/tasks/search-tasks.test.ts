// What people do with the search, by keys alone.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import { NO_CHROMIUM, type Seen } from '../../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../../support/browser/console.ts'
import { makeShopDay } from '../../support/browser/sample-shop.ts'
import { type AtWork, makeTasks, soon } from '../../support/browser/tasks.ts'
import { describeUnless } from '../../support/run/skip.ts'

const DAY = '/logeye/?interval=last24Hours'
const EVENTS = 2000

describeUnless(NO_CHROMIUM, 'searching by keys', () => {
  let test: ConsoleTest
  let seen: Seen
  beforeAll(async () => {
    test = await openConsoleTest()
    await test.send(makeShopDay(EVENTS, Date.now()))
    seen = await test.openSignedIn(DAY)
    await seen.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterAll(() => test?.close())
  const task = makeTasks(
    () => seen,
    () => test.product.url,
  )

  const queryOf = async ({ page }: AtWork) =>
    (await page.locator('#query .cm-content').textContent()) ?? ''
  const query = async (at: AtWork, wanted: string) => {
    await soon(() => queryOf(at)).toBe(wanted)
    await found(at)
  }
  /** The count of the query that is shown is there. */
  const found = async ({ page }: AtWork) => {
    await page.locator('.search-found strong').waitFor()
    await page.locator('.event-message').nth(1).waitFor()
  }
  const openDay = async (at: AtWork, more = '') => {
    await at.open(`${DAY}${more}`)
    await found(at)
    await at.page.getByRole('region', { name: 'log' }).waitFor()
    await at.press('Escape', 'Escape')
  }
  const counted = async ({ page }: AtWork) => {
    const text = (await page.locator('.search-found strong').textContent()) ?? ''
    return Number(text.replace(/\D/g, ''))
  }
  const parameters = ({ page }: AtWork) => new URL(page.url()).searchParams

  task('find events by a word', async (at) => {
    await openDay(at)
    await at.press('/')
    await at.type('timeout')
    await at.press('Enter')
    await query(at, 'timeout')
    await soon(() => counted(at)).toBeLessThan(EVENTS / 10)
  })

  task('narrow to a value of a facet', async (at) => {
    await openDay(at)
    await at.press('f')
    await at.to(/^ERROR\d/)
    await at.press('Enter')
    await query(at, 'level = ERROR')
  })

  task('exclude a value of a facet', async (at) => {
    await openDay(at)
    await at.press('f')
    await at.to('More for level')
    await at.menu('Exclude it')
    await query(at, 'not level = INFO')
  })

  task('exclude what an event says', async (at) => {
    await openDay(at, '&query=timeout')
    await at.press('j', 'x')
    await soon(() => queryOf(at)).toBe('timeout not level = ERROR')
    await at.sees('Nothing found')
  })

  task('pivot from a value to its counts, and to a chart', async (at) => {
    await openDay(at, '&query=timeout')
    await at.press('j', 'Enter')
    await at.to('More for city')
    await at.menu('Count by city')
    await soon(() => queryOf(at)).toMatch(/count \| group by city/)
    await at.page.getByRole('columnheader', { name: 'count' }).waitFor()
    await at.to('Table', { role: 'tab' })
    await at.press('ArrowRight')
    await at.page.locator('.result-bar').first().waitFor()
  })

  task('add a column to the list', async (at) => {
    await openDay(at, '&query=timeout')
    await at.press('j', 'Enter')
    await at.to('More for city')
    await at.menu('Show as a column')
    await soon(() => parameters(at).getAll('column')).toEqual(['city'])
    await at.page.getByRole('columnheader', { name: 'city' }).waitFor()
  })

  task('count a further column as a facet', async (at) => {
    await openDay(at, '&query=placed')
    await at.press('f')
    await at.to('Add a column to count')
    await at.type('total')
    await at.press('Enter')
    await at.page.getByRole('region', { name: 'total' }).waitFor()
  })

  task('brush the histogram', async (at) => {
    await openDay(at)
    const before = await counted(at)
    await at.press('h', 'Home', 'Home')
    for (let step = 0; step < 20; step += 1) await at.press('Shift+ArrowRight')
    await at.press('Enter')
    await soon(() => parameters(at).has('end')).toBe(true)
    await soon(() => counted(at)).toBeLessThan(before / 2)
    expect(await counted(at)).toBeGreaterThan(0)
  })

  task('choose a relative time', async (at) => {
    await openDay(at)
    await at.press('t')
    await at.to('From')
    await at.type('-3h')
    await at.press('Enter')
    await soon(() => parameters(at).get('start')).toBe('-3h')
    await found(at)
  })

  task('choose explicit times and a zone', async (at) => {
    await openDay(at)
    const end = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
    await at.press('t')
    await at.to('From')
    await at.type('-20h')
    await at.press('Tab')
    await at.type(end)
    await at.to('Time zone')
    await at.type('UTC')
    await at.to('Apply')
    await at.press('Enter')
    await soon(() => parameters(at).get('end')).toBe(end)
    expect(parameters(at).get('zone')).toBe('UTC')
    await found(at)
  })

  task('choose a fixed time', async (at) => {
    await openDay(at)
    await at.press('t')
    await at.to('All data')
    await at.press('Enter')
    await soon(() => parameters(at).get('interval')).toBe('allData')
  })

  task('save the search', async (at) => {
    await openDay(at, '&query=timeout')
    await at.press('s')
    await at.page.getByRole('dialog').waitFor()
    await at.type('Slow banks')
    await at.press('Enter')
    await soon(() => parameters(at).has('saved')).toBe(true)
  })

  task('open a saved search', async (at) => {
    await openDay(at)
    await at.press('o')
    await at.page.getByRole('dialog').waitFor()
    await at.type('slow')
    await at.to(/^Slow banks/)
    await at.press('Enter')
    await query(at, 'timeout')
  })

  task('go back to a search of before', async (at) => {
    await openDay(at)
    await at.press('/')
    await at.type('placed')
    await at.press('Enter')
    await query(at, 'placed')
    await openDay(at)
    await at.press('o')
    await at.to(/^placed/)
    await at.press('Enter')
    await query(at, 'placed')
  })

  task('share a link, with the times of now', async (at) => {
    await openDay(at, '&query=timeout')
    await at.to(/^Share/)
    await at.menu('Copy with fixed times')
    await at.sees('The address was copied.')
    const link = await at.page.evaluate<string>('navigator.clipboard.readText()')
    expect(link).toMatch(/query=timeout&start=.+&end=/)
  })

  for (const [kind, lines] of [
    ['CSV', /,|;/],
    ['NDJSON', /^\{/],
  ] as const)
    task(`export as ${kind}`, async (at) => {
      await openDay(at, '&query=timeout')
      const count = await counted(at)
      await at.to(/^Export/)
      const [file] = await Promise.all([at.page.waitForEvent('download'), at.menu(kind)])
      const text = readFileSync(await file.path(), 'utf8')
      expect(text).toMatch(lines)
      expect(text.split('timeout of upstream').length - 1).toBeGreaterThanOrEqual(count)
    })

  task('follow live, pause and go on', async (at) => {
    await at.open('/logeye/?query=fresh')
    await at.sees('Nothing found')
    await at.press('Escape', 'Escape', 'l')
    await at.page.getByRole('button', { name: 'Pause' }).waitFor()
    await test.send([{ message: 'fresh one' }])
    await at.sees('fresh one')
    await at.to('Pause')
    await at.press('Enter')
    await test.send([{ message: 'fresh two' }])
    await at.sees('1 new')
    await at.to(/Go on/)
    await at.press('Enter')
    await at.sees('fresh two')
  })

  task('see the neighbours of an event', async (at) => {
    await openDay(at, '&query=timeout')
    await at.press('j', 'c')
    await at.page.locator('.context-own').waitFor()
  })

  task('read the text as it was received', async (at) => {
    await openDay(at, '&query=timeout')
    await at.press('j', 'Enter')
    await at.to('Columns', { role: 'tab' })
    await at.press('ArrowRight', 'ArrowRight')
    await at.page.locator('.detail-text').getByText('"message":"timeout').waitFor()
  })

  task('see what shapes the messages have, and narrow to one', async (at) => {
    await openDay(at)
    await at.to('Events', { role: 'tab' })
    await at.press('ArrowRight')
    await at.to(/timeout of upstream.*order/)
    await at.press('Enter')
    await soon(() => queryOf(at)).toContain('timeout of upstream')
    await found(at)
  })

  task('compare with the time before', async (at) => {
    await openDay(at, '&query=timeout')
    await at.to('Compare ▾')
    await at.menu('With the time before')
    await at.sees('none before')
  })

  task('put a chart on a new dashboard', async (at) => {
    await at.open(`${DAY}&query=${encodeURIComponent('* | count | group by city')}&tab=chart`)
    await at.page.locator('.result-bar').first().waitFor()
    await at.press('Escape', 'Escape')
    await at.to('Add to dashboard')
    await at.press('Enter')
    await at.to('Title')
    await at.type('Cities')
    await at.to('Name of the app')
    await at.type('Mine')
    await at.to('Name of the dashboard')
    await at.type('Places')
    await at.to('Add')
    await at.press('Enter')
    await at.to('Open the dashboard')
    await at.press('Enter')
    await at.page.locator('[data-drawn=yes] canvas').waitFor()
    expect(new URL(at.page.url()).pathname).toBe('/logeye/dashboards/Mine/Places')
  })
})
