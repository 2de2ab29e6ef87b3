// Documents of dashboards, read by poppler: nothing is left out, and the same question gives the
// same bytes (decision 6.3).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDocument } from '../../../../query/dashboards/document/make-document.ts'
import {
  EVERY_TYPE,
  type SampleWidget,
  sampleDocument,
} from '../../../support/dashboards/sample-document.ts'
import { popplerMissing } from '../../../support/run/programs.ts'
import { spawnSync } from '../../../support/run/run-sync.ts'
import { describeUnless } from '../../../support/run/skip.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'logeye-test-document-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(tool: string, bytes: Uint8Array, ...given: string[]): string {
  const file = join(folder, 'document.pdf')
  writeFileSync(file, bytes)
  const tail = tool === 'pdftotext' ? ['-'] : []
  return spawnSync(tool, [...given, file, ...tail], { encoding: 'utf8' }).stdout
}

const HARD: readonly SampleWidget[] = [
  { id: 'empty', type: 'line', rows: { columns: ['time:time', 'count:number'], rows: [] } },
  { id: 'one', type: 'line', rows: { columns: ['time:time', 'count:number'], rows: [[0, 7]] } },
  {
    ...{ id: 'negative', type: 'column' },
    rows: {
      columns: ['name', 'value:number'],
      rows: [
        ['loss', -1250],
        ['gain', 40],
      ],
    },
  },
  {
    ...{ id: 'nulls', type: 'area' },
    rows: {
      columns: ['time:time', 'count:number'],
      rows: [
        [0, null],
        [3_600_000, null],
      ],
    },
  },
  { id: 'failed', type: 'pie', error: 'the search ran longer than 60000 ms' },
  { id: 'texts', type: 'bar', rows: { columns: ['name', 'other'], rows: [['only', 'texts']] } },
  { id: 'zero', type: 'pie', rows: { columns: ['name', 'n:number'], rows: [['none', 0]] } },
]

const LONG_TITLE =
  'Requests of customers that waited for longer than two seconds, by country and hour'
const COUNTRIES = ['Deutschland', 'Österreich', 'Schweiz', 'Ελλάδα', 'Россия', 'Україна', 'Polska']
const GROWING = COUNTRIES.map((name, at) => [name, (at + 1) * 1_250_000_000])
/** More than their places have room for. */
const CROWDED: readonly SampleWidget[] = [
  {
    ...{ id: 'wide', type: 'table', title: LONG_TITLE, place: [0, 0, 4, 5] },
    rows: {
      columns: Array.from({ length: 30 }, (_, at) => (at % 2 ? `n${at}:number` : `name ${at}`)),
      rows: Array.from({ length: 12 }, (_, row) =>
        Array.from({ length: 30 }, (_, at) =>
          at % 2 ? 9_870_000 + row * 100 + at : `c${row}-${at}`,
        ),
      ),
    },
  },
  {
    ...{ id: 'messages', type: 'eventList', title: 'Messages', place: [4, 0, 4, 5] },
    rows: { columns: ['log', 'message'], rows: [['shop', `${'word '.repeat(80)}theLastWord`]] },
  },
  {
    ...{ id: 'lines', type: 'line', title: 'Lines', place: [8, 0, 4, 5] },
    rows: {
      columns: ['time:time', 'country', 'n:number'],
      rows: COUNTRIES.flatMap((name, at) => [0, 1].map((hour) => [hour * 3_600_000, name, at])),
    },
  },
  ...(['pie', 'donut', 'column', 'bar', 'wordCloud', 'gauge'] as const).map(
    (type, at): SampleWidget => ({
      ...{ id: type, type, title: type, place: [at * 2, 5, 2, 4] },
      rows: { columns: ['country', 'n:number'], rows: [...GROWING, ['東京', 7.5], ['loss', -4]] },
    }),
  ),
  ...(['line', 'pie', 'gauge', 'table', 'number', 'wordCloud'] as const).map(
    (type, at): SampleWidget => ({
      ...{ id: `tiny-${type}`, type, title: `Tiny ${type}`, place: [at, 9, 1, 1] },
      rows: { columns: ['country', 'n:number'], rows: GROWING },
    }),
  ),
]

type Word = { text: string; left: number; top: number; right: number; bottom: number }

/** Of each page, with the size of the page. */
function readWords(bytes: Uint8Array) {
  const number = String.raw`="([-\d.]+)"`
  const word = new RegExp(
    `<word xMin${number} yMin${number} xMax${number} yMax${number}>(.*?)</word>`,
    'g',
  )
  return read('pdftotext', bytes, '-bbox')
    .split('<page ')
    .slice(1)
    .map((page) => {
      const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? []
      const words = [...page.matchAll(word)].map(
        ([, left, top, right, bottom, text = '']): Word => {
          return {
            text,
            left: Number(left),
            top: Number(top),
            right: Number(right),
            bottom: Number(bottom),
          }
        },
      )
      return { width: Number(width), height: Number(height), words }
    })
}

/** A part of a letter is no overlap: words are boxes here. */
function meet(a: Word, b: Word): boolean {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return wide > 1.5 && high > 0.45 * Math.min(a.bottom - a.top, b.bottom - b.top)
}

it('is the same twice, also of hard series', { timeout: 60_000 }, async () => {
  const question = sampleDocument(HARD, { appName: 'Καταστήματα', dashboardName: 'שלום' })
  const [one, two] = [await makeDocument(question), await makeDocument(question)]
  expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
})

describeUnless(popplerMissing(), 'a document', () => {
  it('has every title and every row, on A4, with its fonts', { timeout: 120_000 }, async () => {
    const bytes = await makeDocument(sampleDocument(EVERY_TYPE))
    const text = read('pdftotext', bytes, '-layout')
    for (const { title = '' } of EVERY_TYPE) expect(text).toContain(title)
    for (let n = 1; n <= 1000; n += 1) expect(text).toMatch(new RegExp(`/page/${n}\\s`))
    expect(text.match(/avg time/g)?.length ?? 0).toBeGreaterThan(20)
    for (const part of ['Ελλάδα', 'Россия', 'ошибка', 'Καλημέρα', '1,234,567'])
      expect(text.replaceAll(/[\u00a0 ]/g, ' ')).toContain(part.replaceAll('\u00a0', ' '))
    expect(text).toContain('□□')
    const info = read('pdfinfo', bytes)
    expect(info).toMatch(/Tagged:\s+yes/)
    expect(info).toMatch(/Page size:\s+841\.89 x 595\.28 pts \(A4\)/)
    const fonts = read('pdffonts', bytes).trim().split('\n').slice(2)
    expect(fonts.length).toBeGreaterThan(0)
    for (const line of fonts) expect(line).toMatch(/Inter.*CID TrueType\s+Identity-H\s+yes yes yes/)
  })

  it('loses nothing for which its place has no room', { timeout: 120_000 }, async () => {
    const bytes = await makeDocument(sampleDocument(CROWDED))
    const text = read('pdftotext', bytes, '-layout')
    expect(text.replaceAll(/\s+/g, ' ')).toContain('theLastWord')
    expect(read('pdftotext', bytes)).toContain('country and hour')
    for (let row = 0; row < 12; row += 1)
      for (let at = 0; at < 30; at += 1)
        expect(text).toMatch(
          new RegExp(at % 2 ? `\\b${9_870_000 + row * 100 + at}\\b` : `c${row}-${at}\\s`),
        )
    const [first] = readWords(bytes)
    const legend = first?.words.filter(({ left, top }) => left > 560 && top < 300) ?? []
    for (const name of COUNTRIES) expect(legend.map((word) => word.text)).toContain(name)
    expect(text.match(/1 below zero not drawn/g)).toHaveLength(3)
    expect(text).toContain('8.75G')
  })

  it('tells the numbers of a heat map and of places', { timeout: 60_000 }, async () => {
    const levels = ['info', 'error']
    const hosts = ['web-01', 'web-02', 'db-01']
    const cells = levels.flatMap((level, y) =>
      hosts.map((host, x) => [host, level, 417 + x + 10 * y]),
    )
    const towns = [
      ['Lisbon', 38.7, -9.1, 3141],
      ['Nairobi', -1.3, 36.8, 2718],
      ['Sydney', -33.9, 151.2, 1618],
    ]
    const bytes = await makeDocument(
      sampleDocument([
        {
          ...{ id: 'heat', type: 'heatMap', place: [0, 0, 6, 5] },
          rows: { columns: ['host', 'level', 'n:number'], rows: cells },
        },
        {
          ...{ id: 'towns', type: 'map', place: [6, 0, 6, 5] },
          rows: { columns: ['town', 'lat:number', 'lon:number', 'n:number'], rows: towns },
        },
      ]),
    )
    const text = read('pdftotext', bytes, '-layout')
    for (const [, , value] of cells) expect(text).toContain(String(value))
    for (const [name, , , value] of towns)
      expect(text).toMatch(new RegExp(`${name} ${String(value).replace(/(?=...$)/, ',')}`))
  })

  it('has no word over another, and none outside of the page', { timeout: 120_000 }, async () => {
    for (const widgets of [EVERY_TYPE, HARD, CROWDED]) {
      const pages = readWords(await makeDocument(sampleDocument(widgets)))
      expect(pages.length).toBeGreaterThan(0)
      for (const { width, height, words } of pages) {
        expect(words.length).toBeGreaterThan(0)
        const isOut = (word: Word) =>
          word.left < 0 || word.top < 0 || word.right > width || word.bottom > height
        expect(words.filter(isOut)).toEqual([])
        const over = words.flatMap((one, at) =>
          words.slice(at + 1).flatMap((two) => (meet(one, two) ? [`${one.text} ${two.text}`] : [])),
        )
        expect(over).toEqual([])
      }
    }
  })

  it('keeps what is one row high in its row', { timeout: 60_000 }, async () => {
    const rows = { columns: ['country', 'n:number'], rows: GROWING }
    const low = (['table', 'number', 'column'] as const).map(
      (type, at): SampleWidget => ({
        ...{ id: type, type, title: `Low ${type}`, place: [at * 3, 0, 3, 1] },
        rows,
      }),
    )
    const below: SampleWidget = { id: 'below', type: 'number', title: 'Below', place: [0, 1, 3, 4] }
    const [page] = readWords(await makeDocument(sampleDocument([...low, { ...below, rows }])))
    const words = page?.words ?? []
    const next = words.find(({ text }) => text === 'Below')
    const first = words.find(({ text }) => text === 'Low')
    if (next === undefined || first === undefined) throw new Error('no titles')
    const inRow = words.filter(({ top }) => top > first.top - 8 && top < next.top)
    expect(inRow.filter(({ bottom }) => bottom > next.top)).toEqual([])
    // The value stands beside the title, as large as the row lets it.
    const value = inRow.find(({ text }) => text === '1,250,000,000')
    expect(value).toMatchObject({ top: expect.any(Number) })
    expect((value?.bottom ?? 0) - (value?.top ?? 0)).toBeGreaterThan(first.bottom - first.top)
    // pdftotext reads the link in the box of the table.
    expect(inRow.map(({ text }) => text).join(' ')).toMatch(/all 7 rows below/)
  })

  it('draws hard series', { timeout: 60_000 }, async () => {
    const text = read('pdftotext', await makeDocument(sampleDocument(HARD)), '-layout')
    expect(text).toContain('Nothing was found.')
    expect(text).toContain('the search ran longer than 60000 ms')
    expect(text).toContain('could be drawn')
    for (const { id } of HARD) expect(text).toContain(id)
  })
})
