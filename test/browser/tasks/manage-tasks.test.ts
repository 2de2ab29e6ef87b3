// What people do with dashboards and with the pages that manage, by keys alone.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import { NO_CHROMIUM, type Seen } from '../../support/browser/chromium.ts'
import { type ConsoleTest, openConsoleTest } from '../../support/browser/console.ts'
import { makeShopDay } from '../../support/browser/sample-shop.ts'
import { type AtWork, makeTasks, soon } from '../../support/browser/tasks.ts'
import { totpCodeNow } from '../../support/browser/totp-code.ts'
import { describeUnless } from '../../support/run/skip.ts'

/** The variable, as queries hold it. */
const CITY = '$' + '{city}'
const PASSWORD = 'a good password'
const LINES = ['2026-03-01 10:00:00 WARN pump 7 runs dry', '2026-03-01 10:00:05 INFO pump 9 is on']

describeUnless(NO_CHROMIUM, 'managing by keys', () => {
  let test: ConsoleTest
  let seen: Seen
  beforeAll(async () => {
    test = await openConsoleTest()
    await test.send(makeShopDay(500, Date.now()))
    seen = await test.openSignedIn('/logeye/')
    await seen.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterAll(() => test?.close())
  const task = makeTasks(
    () => seen,
    () => test.product.url,
  )
  const dialog = ({ page }: AtWork) => page.getByRole('dialog').first().waitFor()
  const enter = async (at: AtWork, name: string | RegExp) => {
    await at.to(name)
    await at.press('Enter')
  }
  const post = (token: string, body: string, type = 'application/json') =>
    fetch(`${test.product.url}/logeye/api/logger.jsp?token=${token}`, {
      ...{ method: 'POST', headers: { 'content-type': type }, body },
    })

  task('make a dashboard with a variable and a widget', async (at) => {
    await at.open('/logeye/dashboards')
    await enter(at, 'New app')
    await dialog(at)
    await at.type('Pumps')
    await at.press('Enter')
    await at.to('Acts on Pumps')
    await at.menu('New dashboard')
    await dialog(at)
    await at.type('Cities')
    await at.press('Enter')
    await enter(at, 'Settings')
    await dialog(at)
    await enter(at, 'Add a variable')
    await at.to('Name')
    await at.press('Control+A')
    await at.type('city')
    await at.to('Offers')
    await at.type('a list')
    await at.to('Choices, one a line')
    await at.type('Oslo')
    await at.press('Enter')
    await at.type('Rome')
    await enter(at, 'Take over')
    await enter(at, 'Add a widget')
    await dialog(at)
    await at.to('Title')
    await at.press('Control+A')
    await at.type('Orders')
    await at.to('Query')
    await at.press('Control+A')
    await at.type(`placed city = ${CITY} | count`)
    await at.to('Shown as')
    await at.type('Number')
    await enter(at, 'Take over')
    await enter(at, 'Save')
    await at.page.getByLabel('city', { exact: true }).waitFor()
    await at.page.locator('.widget-number, [class*=number]').first().waitFor()
  })

  task('choose a value of the variable', async (at) => {
    await at.open('/logeye/dashboards/Pumps/Cities')
    await at.to('city')
    await at.type('Rome')
    await soon(() => new URL(at.page.url()).searchParams.get('var.city')).toBe('Rome')
  })

  task('download the PDF of what is chosen', async (at) => {
    await at.open('/logeye/dashboards/Pumps/Cities?var.city=Rome')
    await at.to('Download PDF')
    const [file] = await Promise.all([at.page.waitForEvent('download'), at.press('Enter')])
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  task('set up a listener, and see its first event', async (at) => {
    await at.open('/logeye/manage/listeners?new=1')
    await at.to('Name')
    await at.type('Pump station')
    await at.press('Enter')
    await dialog(at)
    await enter(at, 'Copy')
    await at.sees('Copied')
    const token = await at.page.evaluate<string>('navigator.clipboard.readText()')
    await enter(at, 'Close')
    expect((await post(token, '{"message":"pump one is on"}')).status).toBe(200)
    await at.open('/logeye/?interval=allData')
    await at.page.locator('.event-message').nth(1).waitFor()
    await at.press('Escape', 'Escape', '/')
    await at.type('"pump one"')
    await soon(async () => {
      await at.press('Enter')
      return await at.page.locator('.event-message', { hasText: 'pump one' }).count()
    }, 2000).toBe(1)
  })

  task('have a pattern suggested, and verify it', async (at) => {
    await at.open('/logeye/manage/templates?new=1')
    await at.to('Name')
    await at.type('Pumps')
    await at.to('Log types')
    await at.type('pumps')
    await at.to('Sample lines')
    await at.type(LINES[0] ?? '')
    await at.press('Enter')
    await at.type(LINES[1] ?? '')
    await enter(at, 'Suggest a pattern')
    await at.page.getByRole('status').getByText(/2/).first().waitFor()
    await enter(at, 'Show what it makes of them')
    await at.page.locator('.trial-column').first().waitFor()
    expect(await at.page.locator('.trial-lines > li').count()).toBe(2)
    await enter(at, 'Create')
    await at.page.getByRole('link', { name: 'Pumps', exact: true }).waitFor()
  })

  task('replay a rejected event', async (at) => {
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
    const answer = await post(test.product.secrets.token, `[{"message":"good"},${deep}]`)
    expect(await answer.json()).toMatchObject({ accepted: 1, rejected: 1 })
    await soon(async () => {
      await at.open('/logeye/manage/rejected')
      const row = at.page.getByRole('cell', { name: /deep/ })
      await row.or(at.page.getByText('No event was rejected')).first().waitFor()
      return await row.count()
    }, 1000).toBe(1)
    await enter(at, 'What would a replay do?')
    await at.page.getByRole('cell').getByRole('status').getByText(/\d/).waitFor()
  })

  task('make a user', async (at) => {
    await at.open('/logeye/manage/users?new=1')
    await at.to('User name')
    await at.type('berta')
    await at.to('User password')
    await at.type(PASSWORD)
    await at.press('Enter')
    await at.page.getByRole('link', { name: 'berta', exact: true }).waitFor()
  })

  task('give a right, and see it through the eyes of who has it', async (at) => {
    await at.open('/logeye/manage/rights?node=folder.Events->Machines')
    await at.to('Users that may view it')
    await at.type('admin')
    await at.press('Enter')
    await at.page.getByRole('link', { name: /Machines/ }).waitFor()
    const see = async () => {
      await at.open('/logeye/manage/users?item=berta')
      await enter(at, 'What can berta see?')
      await at.page.getByRole('list', { name: 'What berta can see' }).getByText('Shop').waitFor()
      return await at.page.getByText('Machines').count()
    }
    expect(await see()).toBe(0)
    await at.open('/logeye/manage/rights?node=folder.Events->Machines')
    await at.to('Users that may view it')
    await at.press('End')
    await at.type(',berta')
    await at.press('Enter')
    await at.page.getByRole('cell', { name: /berta/ }).waitFor()
    expect(await see()).toBeGreaterThan(0)
  })

  task('make a token of one’s own', async (at) => {
    await at.open('/logeye/manage/own')
    await at.to('Name of the token')
    await at.type('Reports')
    await at.press('Enter')
    await dialog(at)
    await enter(at, 'Copy')
    await at.sees('Copied')
    const token = await at.page.evaluate<string>('navigator.clipboard.readText()')
    const read = await fetch(
      `${test.product.url}/logeye/api/search/histogram?query=*&interval=allData`,
      { headers: { authorization: `Bearer ${token}` } },
    )
    expect(read.status).toBe(200)
    await enter(at, 'Close')
    await at.page.getByRole('cell', { name: /^Reports/ }).waitFor()
  })

  task('end another session', async (at) => {
    const other = await test.openSignedIn('/logeye/')
    await at.open('/logeye/manage/own')
    await enter(at, 'End')
    await at.page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' })
    const answer = await other.page.request.get(`${test.product.url}/logeye/api/apps`)
    expect(answer.status()).toBe(401)
    await other.context.close()
  })

  task('sign in with a second factor', async (at) => {
    await at.context.clearCookies()
    const signIn = async () => {
      await at.page.goto(`${test.product.url}/logeye/manage/own`)
      await at.to('User')
      await at.type('berta')
      await at.press('Tab')
      await at.type(PASSWORD)
      await at.press('Enter')
    }
    await signIn()
    await enter(at, 'Set up')
    const secret = (await at.page.locator('code.once-value').textContent()) ?? ''
    await at.to('Code')
    await at.type(totpCodeNow(secret))
    await at.press('Enter')
    await at.page.locator('pre.once-value').waitFor()
    await at.context.clearCookies()
    await signIn()
    await at.page.getByLabel('Code of your second factor').waitFor()
    // A code is taken once: the next one is in force already.
    await at.to('Code of your second factor')
    await at.type(totpCodeNow(secret, 1))
    await at.press('Enter')
    await at.page.getByRole('heading', { name: 'My account' }).waitFor()
  })
})
