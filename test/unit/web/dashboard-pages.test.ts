// What the pages of dashboards work out: where a click leads, and what a move pushes away.
import { describe, expect, it } from 'vitest'
import { dashboardDefinition } from '../../../schemas/dashboards/dashboard.ts'
import type { WidgetResult, WidgetRows } from '../../../schemas/dashboards/result.ts'
import { widget } from '../../../schemas/dashboards/widget.ts'
import { newWidget, withPlace, withWidget } from '../../../web/console/dashboards/edit/draft.ts'
import { documentPath } from '../../../web/console/dashboards/view/choice.ts'
import { pickedPath } from '../../../web/console/dashboards/view/drill-down.ts'

const HOUR = 3_600_000
const window = { startMs: 0, endMs: 3 * HOUR }
const place = { column: 0, row: 0, width: 6, height: 4 }

function result(query: string, rows: WidgetRows): WidgetResult {
  return { widgetId: 'a', window, query, rows, error: null, warnings: [] }
}

function asked(path: string | undefined) {
  const { searchParams } = new URL(path ?? '', 'http://host')
  return Object.fromEntries(searchParams)
}

describe('a click on a chart', () => {
  const bars = widget.parse({ id: 'a', title: 'a', type: 'bar', query: 'x', place })
  const byTown: WidgetRows = {
    columns: [
      { name: 'town', type: 'text' },
      { name: 'count', type: 'number' },
    ],
    rows: [
      ['Oslo', '3'],
      ['Rome | or "more"', '2'],
    ],
    hasMore: false,
  }

  it('asks for the events of the bar, whatever its name holds', () => {
    const told = result('order or pay | count | group by town', byTown)
    const path = pickedPath(bars, told, { name: 'Rome | or…', at: 1, series: 'count' })
    expect(asked(path)).toEqual({
      query: '(order or pay) town = "Rome | or \\"more\\""',
      start: new Date(0).toISOString(),
      end: new Date(3 * HOUR).toISOString(),
    })
  })

  it('asks for the time of a bar that is a time, and for its series', () => {
    const rows: WidgetRows = {
      columns: [
        { name: 'timestamp', type: 'time', times: [0, HOUR, HOUR] },
        { name: 'level', type: 'text' },
        { name: 'count', type: 'number' },
      ],
      rows: [
        ['0:00', 'INFO', '1'],
        ['1:00', 'INFO', '2'],
        ['1:00', 'WARN', '5'],
      ],
      hasMore: false,
    }
    const told = result('* | count | interval 1 hour | group by level', rows)
    const path = pickedPath(bars, told, { name: '01:00', at: 1, series: 'WARN' })
    const { query, start, end } = asked(path)
    expect(query).toMatch(/level = WARN$/)
    expect([start, end]).toEqual([HOUR, 2 * HOUR].map((ms) => new Date(ms).toISOString()))
  })

  it('leads nowhere where the widget says so', () => {
    const shut = { ...bars, hasDrillDown: false }
    const picked = { name: 'Oslo', at: 0, series: 'count' }
    expect(pickedPath(shut, result('x', byTown), picked)).toBeUndefined()
  })
})

describe('a dashboard that is edited', () => {
  const board = dashboardDefinition.parse({
    widgets: ['a', 'b', 'c'].map((id, at) => ({
      ...{ id, title: id, type: 'table', query: '*' },
      place: { ...place, row: at * 4 },
    })),
  })
  const placesOf = (draft: typeof board) =>
    draft.widgets.map(({ place: { column, row, width } }) => [column, row, width])

  it('pushes down what is in the way, and what is in the way of that', () => {
    const moved = withPlace(board, 'a', { ...place, row: 2 })
    expect(placesOf(moved)).toEqual([
      [0, 2, 6],
      [0, 6, 6],
      [0, 10, 6],
    ])
    expect(dashboardDefinition.safeParse(moved).success).toBe(true)
  })

  it('keeps widgets on the grid', () => {
    const moved = withPlace(board, 'c', { column: 11, row: -3, width: 20, height: 99 })
    expect(dashboardDefinition.safeParse(moved).success).toBe(true)
  })

  it('has room and a name for new ones', () => {
    const once = withWidget(board, newWidget(board, 'New'))
    const twice = withWidget(once, newWidget(once, 'New'))
    expect(dashboardDefinition.parse(twice)).toEqual(twice)
    expect(twice.widgets).toHaveLength(5)
  })
})

describe('the address of a document', () => {
  it.each([
    ['csv', true],
    ['pdf', false],
  ] as const)('of the format %s asks for cells for spreadsheets: %s', (format, isFor) => {
    const address = documentPath('Web', 'Traffic', format, new URLSearchParams())
    expect(address.includes('spreadsheet=true')).toBe(isFor)
  })
})
