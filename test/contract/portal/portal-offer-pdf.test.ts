// Offers as PDF, read by another program: poppler's pdftotext and pdfinfo.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printOffer } from '../../../portal/offers/offer-pdf.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'
import { HOSTILE, makeLine, makeTold } from '../../support/portal/sample-offer.ts'
import { makeWorld, type World } from '../../support/portal/world.ts'
import { makeDocument, makeItem } from '../../support/pricing/small-book.ts'
import { popplerMissing } from '../../support/run/programs.ts'
import { spawnSync } from '../../support/run/run-sync.ts'
import { describeUnless } from '../../support/run/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'logeye-pdf-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, bytes: Uint8Array, ...words: readonly string[]): string {
  const path = join(folder, 'x.pdf')
  writeFileSync(path, bytes)
  const seen = spawnSync(program, [...words, path, ...(program === 'pdftotext' ? ['-'] : [])])
  expect(String(seen.stderr)).toBe('')
  return String(seen.stdout)
}
const parties = { vendor: 'Vendor AG', customer: 'Customer', madeMs: Date.UTC(2026, 10, 24) }

describeUnless(popplerMissing(), 'an offer as PDF', () => {
  let portal: TestPortal
  let world: World
  beforeAll(async () => {
    portal = await makeTestPortal()
    world = await makeWorld(portal)
    const priced = (unitPrice: string, per = 'once') => [
      { per, model: { kind: 'per_unit', unitPrice } as const },
    ]
    const body = makeDocument([
      makeItem('logs', priced('1234.56', 'month')),
      makeItem('help', priced('9')),
    ])
    expect((await portal.ask({ path: '/price-books', as: portal.operator, body })).status).toBe(201)
  })
  const ask = (who: keyof World['sessions'], path: string, fields: object = {}) =>
    portal.ask({ path, as: world.sessions[who], ...fields })
  const acting = () => ({ headers: { 'x-organization-id': world.direct } })

  it('has all that the offer has, for those who see it, always in the same bytes', async () => {
    const body = {
      ...{ title: 'Logs für Ωmega', validUntil: '2035-01-01T00:00:00Z' },
      plan: { name: 'Team', volumeBytesPerDay: 5_000_000_000, features: ['single sign-on'] },
      content: {
        lines: [
          { item: 'logs', quantity: '1000' },
          { item: 'help', quantity: '3' },
        ],
        taxes: [{ name: 'Sales tax', kind: 'amount', value: '77.10' }],
      },
    }
    const made = await ask('sales', '/offers', { body, ...acting() })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body
    const path = `/offers/${id}/pdf`
    expect((await ask('admin', path)).status).toBe(404)
    const draft = await ask('sales', path, acting())
    expect(draft.status).toBe(200)
    expect(run('pdftotext', draft.bytes, '-raw')).toMatch(/DRAFT[\s\S]*|Draft: not binding/)
    const sent = await ask('sales', `/offers/${id}/send`, { method: 'POST', ...acting() })
    expect(sent.status).toBe(200)
    const first = await ask('viewer', path)
    expect(first.headers.get('content-type')).toBe('application/pdf')
    expect(first.headers.get('content-disposition')).toContain('attachment')
    const again = await ask('admin', path)
    expect(again.bytes.equals(first.bytes)).toBe(true)
    const etag = first.headers.get('etag') ?? ''
    expect((await ask('admin', path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await ask('soldAdmin', path)).status).toBe(404)
    const text = run('pdftotext', first.bytes, '-layout').replaceAll(/\s+/g, ' ')
    const { quote } = sent.body
    expect(text).not.toContain('Draft')
    for (const wanted of [
      ...[
        'Logs für Ωmega',
        id,
        'Direct customer',
        '1 January 2035',
        'single sign-on',
        'Page 1 of 1',
      ],
      ...quote.lines.map(({ name }: { name: string }) => name),
      ...quote.lines.flatMap(({ explanation }: { explanation: string[] }) => explanation),
      ...sent.body.effects,
      'Duration 1 month',
      ...['1,234,560.00', '27.00', '1,234,587.00', '77.10', '1,234,664.10'],
    ])
      expect(text).toContain(wanted.slice(0, 40))
  })

  it('is tagged, and tells of itself', async () => {
    const bytes = await printOffer({ ...parties, offer: makeTold() })
    const told = run('pdfinfo', bytes, '-isodates')
    for (const line of [
      ...[/Title: +Logeye for Example GmbH/, /Author: +Vendor AG/, /Tagged: +yes/],
      /CreationDate: +2026-11-24T00:00:00(?:Z|\+00)/,
    ])
      expect(told).toMatch(line)
    const structure = run('pdfinfo', bytes, '-struct-text')
    expect(structure).toMatch(/H1[\s\S]*Logeye for Example[\s\S]*Table[\s\S]*TH[\s\S]*Scope/)
    expect(structure).toMatch(/TD[\s\S]*Log volume/)
  })

  it('of 300 lines has its head on each page and each line once', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => makeLine({ name: `Item <${at + 1}>` }))
    const offer = makeTold(lines)
    const bytes = await printOffer({ ...parties, offer })
    expect(Buffer.from(await printOffer({ ...parties, offer })).equals(bytes)).toBe(true)
    const pages = run('pdftotext', bytes, '-layout').split('\f').slice(0, -1)
    expect(pages.length).toBeGreaterThan(10)
    const names = [...pages.join('').matchAll(/Item <(\d+)>/g)].map(([, number]) => Number(number))
    expect(names).toEqual(Array.from({ length: 300 }, (_, at) => at + 1))
    for (const [at, page] of pages.entries()) {
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`)
      if (page.includes('Item <')) expect(page).toMatch(/Description +Quantity +Unit price/)
    }
  })

  it('of hostile texts shows all of them inside its margins', async () => {
    const lines = HOSTILE.map((name) =>
      makeLine({ name, unit: name.slice(0, 50), explanation: [name], net: `${'9'.repeat(40)}.99` }),
    )
    const title = HOSTILE.join(' ').slice(0, 200)
    const bytes = await printOffer({
      ...{
        offer: makeTold(lines, { title }),
        vendor: HOSTILE[4] ?? '',
        customer: HOSTILE[0] ?? '',
      },
      madeMs: 0,
    })
    const text = run('pdftotext', bytes, '-raw').replaceAll(/\s+/g, '')
    expect(text).toContain('Ελληνικά')
    expect(text).toContain('₹₺₽₿₴₸€£¥₩')
    expect(text).toContain('\u25a1standsforaletter')
    expect(text).toContain(`${'word'.repeat(300)}end`)
    expect(text).not.toMatch(/[\p{Cf}\p{Co}]/u)
    expect(bytes.includes('/JS')).toBe(false)
    const boxes = run('pdftotext', bytes, '-bbox').matchAll(
      /xMin="([\d.]+)".*xMax="([\d.]+)" yMax="([\d.]+)"/g,
    )
    for (const [, left, right, bottom] of boxes) {
      expect(Number(left)).toBeGreaterThan(55)
      expect(Number(right)).toBeLessThan(595.28 - 54)
      expect(Number(bottom)).toBeLessThan(841.89 - 20)
    }
  })
})

describe('the same offer', () => {
  it('in another state is another document', async () => {
    const print = (fields: object) => printOffer({ ...parties, offer: makeTold(undefined, fields) })
    const sent = await print({})
    expect((await print({})).equals(sent)).toBe(true)
    expect((await print({ state: 'rejected' })).equals(sent)).toBe(false)
  })
})
