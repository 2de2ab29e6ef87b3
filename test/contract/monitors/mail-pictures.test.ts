// The chart in the mail of an alert, taken from a mail server and read back pixel by pixel.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHART_COLOURS } from '../../../schemas/charts/chart-colours.ts'
import { openSearchPipeline, type SearchPipeline } from '../../support/apps/search-pipeline.ts'
import { type MonitorWorld, openMonitorWorld } from '../../support/monitors/monitor-world.ts'
import { readPng } from '../../support/pictures/read-png.ts'
import { type MailSink, startMailSink } from '../../support/portal/mail-sink.ts'

const HOUR_MS = 3_600_000
const ATTACK = '<img src="cid:chart@logeye" onerror="x()"></pre><script>x()</script>&amp; "q"'

let pipeline: SearchPipeline
let world: MonitorWorld
let mails: MailSink
let directory: string

beforeAll(async () => {
  ;[pipeline, mails] = await Promise.all([openSearchPipeline(), startMailSink()])
  directory = mkdtempSync(join(tmpdir(), 'logeye-test-pictures-'))
  world = openMonitorWorld(pipeline, {
    ...{ keyFile: join(directory, 'secrets.key'), mailUrl: mails.url },
  })
  await world.run('addAlertTarget', { name: 'desk', type: 'mail', to: 'desk@example.com' })
  // The first half of the day is quiet.
  const hours = Array.from({ length: 11 }, (_, at) => 11 - at)
  await Promise.all(hours.map((hour) => receive(hour * HOUR_MS, hour, 'a')))
})
afterAll(async () => {
  await world?.app.app.stop()
  await pipeline?.stop()
  await mails?.close()
  rmSync(directory, { recursive: true, force: true })
})

async function receive(agoMs: number, count: number, till: string): Promise<void> {
  const receivedMs = world.clock.nowMs() - agoMs
  const timestamp = new Date(receivedMs).toISOString()
  const event = { timestamp, productPath: 'Shop', productName: 'pay', till }
  const events = Array.from({ length: count }, () => ({ ...event, message: `failed ${ATTACK}` }))
  await pipeline.ingest(events, { receivedMs })
}

const watch = (name: string, given: Readonly<Record<string, string>> = {}) =>
  world.run('addMonitor', {
    ...{ name, query: 'failed in log.pay', schedule: 'every 1m', actions: 'desk', ...given },
  })

/** Parts of a mail by their type. */
function partsOf(raw: string): ReadonlyMap<string, { head: string; body: Buffer }> {
  const parts = new Map<string, { head: string; body: Buffer }>()
  const boundaries = [...raw.matchAll(/boundary="([^"]+)"/g)].map(([, name]) => name ?? '')
  const pieces = boundaries.reduce(
    (all, name) => all.flatMap((it) => it.split(`--${name}`)),
    [raw.replaceAll('\r\n', '\n')],
  )
  for (const piece of pieces) {
    const [head = '', ...rest] = piece.trimStart().split('\n\n')
    const type = /^Content-Type: ([^;\n]+)/im.exec(head)?.[1] ?? ''
    const body = rest.join('\n\n')
    const isBase64 = /^Content-Transfer-Encoding: base64/im.test(head)
    const text = body
      .replace(/=\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    parts.set(type, { head, body: isBase64 ? Buffer.from(body, 'base64') : Buffer.from(text) })
  }
  return parts
}

/** Columns of pixels that have the colour of bars, and the highest of these. */
function barsOf(png: Buffer) {
  const picture = readPng(png)
  const colour = String(CHART_COLOURS.light.series[0]).toLowerCase()
  const heights = Array.from({ length: picture.width }, (_, x) => {
    let height = 0
    for (let y = 0; y < picture.height; y += 1) if (picture.colourAt(x, y) === colour) height += 1
    return height
  })
  return { picture, heights }
}

describe('the mail of an alert', () => {
  test('has its chart inside, and nothing of an event is a sign in it', async () => {
    await watch('pays')
    await receive(0, 20, 'a')
    await world.tick()
    await world.deliver()
    const [{ raw = '' } = {}] = mails.mails.slice(-1)
    const parts = partsOf(raw)
    const png = parts.get('image/png')
    expect(png?.head).toMatch(/^Content-Id: <chart@logeye>/im)
    expect(png?.head).toMatch(/^Content-Disposition: inline/im)
    const html = parts.get('text/html')?.body.toString() ?? ''
    expect(html.match(/<img /g)).toHaveLength(1)
    expect(html).toContain('src="cid:chart@logeye"')
    expect(html).toContain('&lt;/pre&gt;&lt;script&gt;x()&lt;/script&gt;&amp;amp; &quot;q&quot;')
    expect(html).not.toMatch(/<script|onerror="/)
    expect(parts.get('text/plain')?.body.toString()).toContain(ATTACK)

    const { picture, heights } = barsOf(png?.body ?? Buffer.alloc(0))
    expect([picture.width, picture.height]).toEqual([1200, 360])
    expect(picture.colourAt(0, 0)).toBe('#ffffff')
    const { LOGEYE_TEST_PICTURES: shown } = process.env
    if (shown !== undefined) writeFileSync(join(shown, 'mail.png'), png?.body ?? '')
    // Bars stand in the second half alone, the highest at the end.
    const filled = heights.flatMap((height, x) => (height > 0 ? [x] : []))
    expect(Math.min(...filled)).toBeGreaterThan(600)
    const highest = heights.indexOf(Math.max(...heights))
    expect(highest).toBeGreaterThan(1100)
    expect(Math.max(...heights)).toBeGreaterThan(200)
  })

  test('shows the events of its group', async () => {
    await watch('by till', { groupBy: 'till' })
    await receive(0, 3, 'a')
    await receive(0, 2, 'B')
    await world.tick()
    const before = mails.mails.length
    await world.deliver()
    const told = mails.mails
      .slice(before)
      .filter(({ raw }) => /^Subject: .*by till/m.test(raw))
      .map(({ raw }) => barsOf(partsOf(raw).get('image/png')?.body ?? Buffer.alloc(0)).heights)
    expect(told).toHaveLength(2)
    const widths = told.map((heights) => heights.filter((height) => height > 0).length)
    // Of B there is one bar, of a one for each hour.
    expect(Math.min(...widths)).toBeGreaterThan(0)
    expect(Math.max(...widths)).toBeGreaterThan(6 * Math.min(...widths))
  })

  test('is as it was where there is nothing to draw, and for other targets', async () => {
    await watch('table', {
      ...{ query: 'failed in log.pay | count | group by till', rule: 'column count >= 1' },
      window: '1d',
    })
    await world.tick()
    const before = mails.mails.length
    await world.deliver()
    const [{ raw = '' } = {}] = mails.mails.slice(before)
    expect(raw).toMatch(/^Content-Type: text\/plain/m)
    expect(raw).not.toContain('image/png')
  })
})
