// A customer of the portal whose files and names would run, lead or spoof in the pages of others.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { NO_CHROMIUM, type OpenedBrowser, openBrowser } from '../support/browser/chromium.ts'
import { type PortalProcess, startPortalProcess } from '../support/portal/portal-process.ts'
import { makePdf } from '../support/portal/sample-files.ts'
import { describeUnless } from '../support/run/skip.ts'

const BASE = '/api/portal/v1'
const RUNS = 'alert(1)'
const page = z.object({ data: z.array(z.looseObject({ id: z.string() })) })
const asked = z.object({ status: z.number(), text: z.string() })

/** What is taken: name as it is sent, its bytes, and its name as it is shown. */
const TAKEN: readonly (readonly [string, Buffer, string])[] = [
  [`"><img src=x onerror=${RUNS}>.txt`, Buffer.from(RUNS), `%22__img src=x onerror=${RUNS}_.txt`],
  ['../../etc/passwd.txt', Buffer.from(`/**/${RUNS}`), 'passwd.txt'],
  ['order\u202etxt.exe.md', Buffer.from(`# Order\n${' '.repeat(600)}<script>${RUNS}</script>`), ''],
  ['line\r\nX-Injected: 1.csv', Buffer.from('a,b\n1,2\n'), ''],
  ['שלום \u2067עולם.pdf', makePdf(`2 0 obj<</OpenAction<</S/JavaScript/JS(${RUNS})>>>>endobj`), ''],
]
const REFUSED: readonly (readonly [string, string, Buffer])[] = [
  ['page.html', 'text/html', Buffer.from(`<script>${RUNS}</script>`)],
  ['image.svg', 'image/svg+xml', Buffer.from(`<svg onload="${RUNS}"/>`)],
  ['page.txt', 'text/plain', Buffer.from(`<script>${RUNS}</script>`)],
  ['page.pdf', 'application/pdf', Buffer.from(`<script>${RUNS}</script>`)],
  ['order.pdf', 'text/html', makePdf()],
]

describeUnless(NO_CHROMIUM, 'a hostile customer', () => {
  let dataDir = ''
  let printed = ''
  let portal: PortalProcess
  let browser: OpenedBrowser
  let offer = ''
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-hostile-'))
    portal = await startPortalProcess({
      dataDir,
      before: async (logeye) => {
        printed = await logeye('portal', 'demo')
      },
    })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await portal?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const openAs = async (email: string) => {
    const seen = await browser.open()
    await seen.page.goto(`${portal.url}/portal/`)
    await seen.page.getByLabel('E-mail').fill(email)
    const password = new RegExp(`${email} +(\\S+)`).exec(printed)?.[1] ?? ''
    await seen.page.getByLabel('Password', { exact: true }).fill(password)
    await seen.page.keyboard.press('Enter')
    await seen.page.getByRole('navigation').waitFor()
    return seen
  }
  const listFiles = async (tab: Page) =>
    page.parse(
      JSON.parse(
        asked.parse(
          await tab.evaluate(
            `fetch('${BASE}/offers/${offer}/attachments').then(async (answer) => ({
        status: answer.status, text: await answer.text() }))`,
          ),
        ).text,
      ),
    ).data

  it('has files that are shown by harmless names, and others are refused', async () => {
    const { page: tab, context, faults } = await openAs('ada@harbour.example')
    await tab.goto(`${portal.url}/portal/offers`)
    const row = tab.getByRole('row').filter({ hasText: 'Sent' }).first()
    await row.getByRole('link').click()
    const input = tab.getByLabel('Upload a file')
    await input.waitFor({ state: 'attached' })
    offer = new URL(tab.url()).pathname.split('/').at(-1) ?? ''
    for (const [name, bytes, shown] of TAKEN) {
      const before = (await listFiles(tab)).length
      await input.setInputFiles({ name, mimeType: '', buffer: bytes })
      await expect.poll(async () => (await listFiles(tab)).length).toBe(before + 1)
      if (shown !== '') await tab.getByRole('cell').getByText(shown).waitFor()
    }
    for (const { name } of await listFiles(tab)) expect(name).not.toMatch(/[\p{Cc}\p{Cf}/\\<>"]/u)
    for (const [name, mimeType, buffer] of REFUSED) {
      const [answer] = await Promise.all([
        tab.waitForResponse((it) => it.request().method() === 'POST'),
        input.setInputFiles({ name, mimeType, buffer }),
      ])
      expect([name, answer.status()]).toEqual([name, 415])
      await tab.getByRole('alert').waitFor()
    }
    expect(await listFiles(tab)).toHaveLength(TAKEN.length)
    expect(faults).toEqual([])
    await context.close()
  })

  it('has no file that runs or is shown in the origin of the portal', async () => {
    const { page: tab, context, faults } = await openAs('vic@harbour.example')
    const found = await listFiles(tab)
    expect(found).toHaveLength(TAKEN.length)
    for (const { id } of found) {
      const url = `${portal.url}${BASE}/offers/${offer}/attachments/${id}`
      const other = await context.newPage()
      const [download] = await Promise.all([
        other.waitForEvent('download'),
        other.goto(url).catch(() => undefined),
      ])
      expect(other.url()).not.toContain(id)
      expect(download.suggestedFilename()).toMatch(/^[^/\\<>\p{Cc}\p{Cf}]+\.(txt|md|csv|pdf)$/u)
      await other.close()
      // What a page of the portal would make of it that was brought to load it.
      const outcome = await tab.evaluate(`new Promise((resolve) => {
        const script = document.createElement('script')
        script.onload = () => resolve('loaded')
        script.onerror = () => resolve('refused')
        script.src = ${JSON.stringify(url)}
        document.body.append(script)
      })`)
      expect(outcome).toBe('refused')
      const broken = await tab.evaluate(`new Promise((resolve) => {
        addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
        const frame = document.createElement('iframe')
        frame.src = ${JSON.stringify(url)}
        document.body.append(frame)
      })`)
      expect(broken).toBe('frame-src')
    }
    expect(faults.filter((fault) => fault.includes('dialog'))).toEqual([])
    await context.close()
  })
})
