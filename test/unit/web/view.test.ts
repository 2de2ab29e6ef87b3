import { describe, expect, it } from 'vitest'
import { timeFrame } from '../../../schemas/dashboards/time-frame.ts'
import {
  exportAddress,
  parseView,
  printView,
  type SearchView,
  windowOf,
} from '../../../web/console/search/run/view.ts'
import { keptOf } from '../../../web/console/search/saved/kept.ts'

const VIEW: SearchView = {
  query: 'a & b = "c?#" | count',
  range: { kind: 'times', start: '-2h', end: undefined },
  zone: 'Europe/Berlin',
  columns: ['duration ms', 'a&b'],
  by: '',
  tab: 'chart',
  isWrapped: true,
  isLive: true,
  isFolded: false,
  comparedWith: 'week',
  saved: 12,
}

describe('the address of a search', () => {
  it('holds the whole view', () => {
    const read = (text: string) => parseView(new URL(text, 'http://localhost').searchParams)
    expect(read(printView(VIEW))).toEqual(VIEW)
    const interval: SearchView = { ...VIEW, range: { kind: 'interval', interval: 'allData' } }
    expect(read(printView(interval))).toEqual(interval)
    const before: SearchView = { ...VIEW, comparedWith: 'before' }
    expect(printView(before)).toContain('compare=1')
    expect(read(printView(before))).toEqual(before)
  })

  it.each([
    'interval=allData&start=-2h',
    'interval=allData&end=-2h',
    'interval=allData&start=-2h&end=-1h',
    'end=-2h',
  ])('keeps times that do not go together, for the server to refuse: %s', (given) => {
    const view = parseView(new URLSearchParams(given))
    expect(view.range.kind).toBe('unclear')
    expect(printView(view)).toBe(`/logeye/?${given}`)
    expect(windowOf(view)).toEqual(Object.fromEntries(new URLSearchParams(given)))
    // Not saved as a part of it, which would be another time.
    const { time } = keptOf(view)
    expect(time).toEqual(Object.fromEntries(new URLSearchParams(given)))
    expect(timeFrame.safeParse(time).success).toBe(false)
  })

  it('is short where nothing differs', () => {
    expect(printView(parseView(new URLSearchParams()))).toBe('/logeye/')
  })
})

describe('the address of an export', () => {
  it.each([
    ['csv-plain', true],
    ['json', false],
    ['xml', false],
  ])('of the format %s asks for cells for spreadsheets: %s', (format, isFor) => {
    expect(exportAddress(VIEW, format).includes('spreadsheet=true')).toBe(isFor)
  })
})
