// Documents of dashboards, read by poppler: nothing is left out, and the same question gives the
// same bytes (decision 6.3).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDocument } from '../../../../query/dashboards/document/make-document.ts'
import {
  EVERY_TYPE,
  type SampleWidget,
  sampleDocument,
} from '../../../support/dashboards/sample-document.ts'

const HAS_POPPLER = spawnSync('pdftotext', ['-v']).status === 0
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

describe.skipIf(!HAS_POPPLER)('a document (pdftotext of poppler-utils is needed)', () => {
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

  it('draws hard series, and is the same twice', { timeout: 60_000 }, async () => {
    const question = sampleDocument(HARD, { appName: 'Καταστήματα', dashboardName: 'שלום' })
    const [one, two] = [await makeDocument(question), await makeDocument(question)]
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
    const text = read('pdftotext', one, '-layout')
    expect(text).toContain('Nothing was found.')
    expect(text).toContain('the search ran longer than 60000 ms')
    expect(text).toContain('could be drawn')
    for (const { id } of HARD) expect(text).toContain(id)
  })
})
