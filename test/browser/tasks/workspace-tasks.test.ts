// What people do in the workspace of the portal, by keys alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  NO_CHROMIUM,
  type OpenedBrowser,
  openBrowser,
  type Seen,
} from '../../support/browser/chromium.ts'
import { type AtWork, makeTasks, soon } from '../../support/browser/tasks.ts'
import { totpCodeNow } from '../../support/browser/totp-code.ts'
import { type HookReceiver, startHookReceiver } from '../../support/portal/hook-receiver.ts'
import { type PortalProcess, startPortalProcess } from '../../support/portal/portal-process.ts'
import { describeUnless } from '../../support/run/skip.ts'

describeUnless(NO_CHROMIUM, 'the workspace by keys', () => {
  let dataDir = ''
  let printed = ''
  let portal: PortalProcess
  let browser: OpenedBrowser
  let hooks: HookReceiver
  let seen: Seen
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-workspace-tasks-'))
    hooks = await startHookReceiver()
    portal = await startPortalProcess({
      dataDir,
      environment: { LOGEYE_PORTAL_WEBHOOK_TARGETS: 'any' },
      before: async (logeye) => {
        printed = await logeye('portal', 'demo')
      },
    })
    browser = await openBrowser()
    seen = await browser.open()
    await seen.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.stop()
    await hooks?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const task = makeTasks(
    () => seen,
    () => portal.url,
  )
  const enter = async (at: AtWork, name: string | RegExp) => {
    await at.to(name)
    await at.press('Enter')
  }
  /** Messages of a webhook in that state. */
  const untilOne = (at: AtWork, state: string) =>
    soon(async () => {
      await enter(at, 'Refresh')
      return await at.page.getByRole('cell', { name: state }).count()
    }, 1000).toBe(1)
  const signIn = async (at: AtWork, email: string) => {
    await at.context.clearCookies()
    await at.page.goto(`${portal.url}/portal/`)
    await at.to('E-mail')
    await at.type(email)
    await at.press('Tab')
    await at.type(new RegExp(`${email} +(\\S+)`).exec(printed)?.[1] ?? '')
    await at.press('Enter')
  }
  const heading = ({ page }: AtWork, name: string) =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()

  task('make a quote, understand a number of it, and send the offer', async (at) => {
    await signIn(at, 'sam@vendor.example')
    await enter(at, 'Act for Harbour Logistics')
    await heading(at, 'Overview')
    await enter(at, 'Offers')
    await enter(at, 'New offer')
    await at.to('Title')
    await at.type('More volume')
    await at.to('Term')
    await at.type('12 months')
    await at.to('Item')
    await at.type('Log volume')
    await at.to(/^Quantity/)
    await at.press('Control+A')
    await at.type('40')
    await at.page.getByText('10,827.00 EUR').first().waitFor()
    await at.to('What happens to the licence')
    await at.type('Replace')
    await at.to('Plan')
    await at.type('Team 40')
    await at.to('GB a day')
    await at.press('Control+A')
    await at.type('40')
    await at.to(/10,827\.00 EUR/)
    await at.page.locator('.explained-why').getByText('10,827.00 EUR left').waitFor()
    await at.press('Escape')
    await enter(at, 'Save draft')
    await heading(at, 'More volume')
    await enter(at, 'Send')
    await at.page.getByRole('dialog').waitFor()
    await enter(at, 'Send')
    await at.page.locator('.pill').getByText('Sent').waitFor()
  })

  task('make an API key that works', async (at) => {
    await signIn(at, 'ada@harbour.example')
    await heading(at, 'Overview')
    await enter(at, 'API keys')
    await enter(at, 'Make a key')
    await at.page.getByRole('dialog').waitFor()
    await at.to('Name')
    await at.type('Billing export')
    await at.to(/^usage:read/)
    await at.press('Space')
    await enter(at, 'Make a key')
    await at.page.getByRole('dialog', { name: 'The new key' }).waitFor()
    const key = (await at.page.locator('code.secret').textContent()) ?? ''
    const answer = await fetch(`${portal.url}/api/portal/v1/usage?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(200)
    await enter(at, 'I have kept it')
  })

  task('debug a webhook: see the attempts, and replay what failed', async (at) => {
    hooks.answer = (response) => response.writeHead(410).end('the old path')
    await at.open('/portal/webhooks')
    await enter(at, 'Add a webhook')
    await at.page.getByRole('dialog').waitFor()
    await at.to('Address')
    await at.type(hooks.url)
    await at.to(/^All of them|^offer\.sent/)
    await at.press('Space')
    await enter(at, 'Add a webhook')
    await enter(at, 'I have kept it')
    await enter(at, hooks.url)
    await enter(at, 'Send a test')
    await soon(() => hooks.got.length).toBe(1)
    await untilOne(at, 'Failed')
    await enter(at, 'Look')
    await at.sees('Answered 410')
    await at.sees('the old path')
    hooks.answer = (response) => response.writeHead(204).end()
    // The address answered that it is gone, so it is told of nothing more.
    await at.open(new URL(at.page.url()).pathname)
    await at.page.getByRole('cell', { name: 'Failed' }).waitFor()
    const button = (name: string) => at.page.getByRole('button', { name, exact: true })
    await button('Enable').waitFor()
    await enter(at, 'Enable')
    await button('Disable').waitFor()
    await enter(at, 'Replay')
    await soon(() => hooks.got.length).toBe(2)
    expect(hooks.got[1]?.headers['webhook-id']).toBe(hooks.got[0]?.headers['webhook-id'])
    hooks.answer = (response) => response.writeHead(503).end('back in an hour')
    await enter(at, 'Send a test')
    await soon(() => hooks.got.length).toBe(3)
    await untilOne(at, 'Fails, is tried again')
  })

  task('sign in with a second factor', async (at) => {
    await signIn(at, 'vic@harbour.example')
    await heading(at, 'Overview')
    await enter(at, 'Your account')
    await heading(at, 'Your account')
    const password = /vic@harbour\.example +(\S+)/.exec(printed)?.[1] ?? ''
    await at.to('Set up', { isBack: true })
    await at.to('Your password now', { isBack: true })
    await at.type(password)
    await at.press('Enter')
    const secret = at.page.locator('code.secret').first()
    await secret.waitFor()
    const shown = (await secret.textContent()) ?? ''
    await at.to('Code of the app')
    await at.type(totpCodeNow(shown))
    await at.press('Enter')
    await at.page.getByRole('dialog').waitFor()
    await enter(at, /kept/)
    await signIn(at, 'vic@harbour.example')
    await at.page.getByRole('alert').waitFor()
    await at.to(/code/i)
    await at.type(totpCodeNow(shown, 1))
    await at.press('Enter')
    await heading(at, 'Overview')
  })
})
