import { describe, expect, it } from 'vitest'
import type { EventCell, EventRow, ParsedColumn } from '../../../../query/language/compiled.ts'
import { rawOf } from '../../../../query/search/print/event-cells.ts'
import { EventTable } from '../../../../query/search/print/event-table.ts'
import {
  columnPlaceholder,
  FLAT_LAYOUT_START,
  messagePlaceholder,
  RAW_LAYOUT,
  WHOLE_LAYOUT,
} from '../../../../schemas/event-layout.ts'
import { compileDateFormat } from '../../../../schemas/time/date-format.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'

const style = {
  dateFormat: compileDateFormat('MM/dd/yyyy HH:mm:ss'),
  zone: timeZone('Europe/Berlin'),
}
const logs = new Map([
  [1, { name: 'access', folder: ['Web', 'Edge'], appTags: ['Storefront', 'Infra'] }],
])

function makeRow(given: Partial<EventRow> = {}): EventRow {
  return {
    timestampNs: '1780000000123000000',
    logId: 1,
    host: 'web-01',
    source: 'Default',
    message: 'disk full',
    layout: RAW_LAYOUT,
    raw: '{"message":"disk full"}',
    size: 23,
    columns: new Map(),
    texts: [],
    ...given,
  }
}
const column = (name: string, ...spellings: string[]): ParsedColumn => ({
  name,
  spellings: spellings.length === 0 ? [name] : spellings,
})

function tableOf(
  rows: readonly EventRow[],
  parsedColumns: readonly ParsedColumn[],
  cells: readonly EventCell[] | 'all' = 'all',
) {
  const table = new EventTable({ cells, parsedColumns }, logs, style)
  for (const row of rows) table.add(row)
  return table
}

describe('the table of a simple search', () => {
  it('has the fixed columns first, also without any row', () => {
    expect(tableOf([], [column('a')]).finish()).toEqual({
      columns: ['timestamp', 'log', 'folder', 'host', 'source', 'message'],
      rows: [],
    })
  })

  it('prints time in the system format and zone, milliseconds only when they are not zero', () => {
    const rows = [makeRow(), makeRow({ timestampNs: '1780000000000999999' })]
    expect(tableOf(rows, []).finish().rows).toEqual([
      ['05/28/2026 22:26:40.123', 'access', 'Web->Edge', 'web-01', 'Default', 'disk full'],
      ['05/28/2026 22:26:40', 'access', 'Web->Edge', 'web-01', 'Default', 'disk full'],
    ])
  })

  it('shows the parsed columns that some row has, in the order of first sight', () => {
    const rows = [
      makeRow({
        columns: new Map([
          ['c', '3'],
          ['a', '1'],
        ]),
      }),
      makeRow({
        columns: new Map([
          ['empty', ''],
          ['trace', 'abcdef0123456789'],
        ]),
      }),
    ]
    const columns = ['a', 'b', 'trace', 'c', 'empty'].map((name) => column(name))
    const table = tableOf(rows, columns).finish()
    expect(table.columns.slice(6)).toEqual(['a', 'trace', 'c'])
    expect(table.rows.map((row) => row.slice(6))).toEqual([
      ['1', undefined, '3'],
      [undefined, 'abcdef0123456789', undefined],
    ])
  })

  it('unites spellings under the first one; of two in one row the earlier spelling counts', () => {
    const rows = [
      makeRow({
        columns: new Map([
          ['USER', 'second'],
          ['user', 'first'],
        ]),
      }),
      makeRow({
        columns: new Map([
          ['user', 'first'],
          ['USER', 'second'],
        ]),
      }),
      makeRow({ columns: new Map([['USER', 'second']]) }),
      makeRow({
        columns: new Map([
          ['user', ''],
          ['USER', 'second'],
        ]),
      }),
    ]
    const table = tableOf(rows, [column('user', 'user', 'USER')]).finish()
    expect(table.columns.slice(6)).toEqual(['user'])
    expect(table.rows.map((row) => row[6])).toEqual(['first', 'first', 'second', 'second'])
  })

  it('does not let a parsed column stand for a built-in one of its name', () => {
    const rows = [
      makeRow({
        columns: new Map([
          ['Host', 'other'],
          ['size', '5'],
        ]),
      }),
    ]
    const table = tableOf(rows, [column('Host'), column('size')]).finish()
    expect(table.columns).toEqual([
      'timestamp',
      'log',
      'folder',
      'host',
      'source',
      'message',
      'size',
    ])
    expect(table.rows[0]?.slice(3)).toEqual(['web-01', 'Default', 'disk full', '5'])
  })

  it('shows the raw text as message of an event taken whole', () => {
    const row = makeRow({ layout: WHOLE_LAYOUT, message: '', raw: '{"a":1}' })
    expect(tableOf([row], []).finish().rows[0]?.[5]).toBe('{"a":1}')
  })

  it('survives names that are properties of every object', () => {
    const row = makeRow({
      columns: new Map([
        ['__proto__', '1'],
        ['constructor', '2'],
      ]),
    })
    const table = tableOf([row], [column('__proto__'), column('constructor')]).finish()
    expect(table.rows[0]?.slice(6)).toEqual(['1', '2'])
  })
})

describe('the table of chosen cells', () => {
  it('has exactly the cells, in their order; texts are those that the store has made', () => {
    const cells: EventCell[] = [
      { kind: 'text', name: 'Code', index: 1 },
      { kind: 'builtIn', name: 'apptags', column: 'apptags' },
      { kind: 'text', name: 'none', index: 0 },
      { kind: 'builtIn', name: 'size', column: 'size' },
      { kind: 'builtIn', name: 'raw', column: 'raw' },
    ]
    const rows = [makeRow({ texts: ['', '200'] })]
    expect(tableOf(rows, [], cells).finish()).toEqual({
      columns: ['Code', 'apptags', 'none', 'size', 'raw'],
      rows: [['200', 'Storefront, Infra', '', '23', '{"message":"disk full"}']],
    })
  })

  it('shows a parsed column where some row has it, in its place between the others', () => {
    const cells: EventCell[] = [
      { kind: 'parsed', name: 'a', column: column('a') },
      { kind: 'text', name: 'Made', index: 0 },
      { kind: 'parsed', name: 'b', column: column('b') },
    ]
    const rows = [
      makeRow({ columns: new Map([['b', '1']]), texts: ['x'] }),
      makeRow({ texts: ['y'] }),
    ]
    expect(tableOf(rows, [], cells).finish()).toEqual({
      columns: ['Made', 'b'],
      rows: [
        ['x', '1'],
        ['y', undefined],
      ],
    })
  })
})

describe('raw', () => {
  it('is rebuilt from message, columns and ids', () => {
    const layout = `${FLAT_LAYOUT_START}{"message":${messagePlaceholder('quoted')},"n":${columnPlaceholder('bare', 'n')},"id":${columnPlaceholder('quoted', 'id')},"none":${columnPlaceholder('bare', 'none')},"toString":${columnPlaceholder('quoted', 'toString')}}`
    const row = makeRow({
      layout,
      raw: '',
      message: 'say "hi"\n',
      columns: new Map([
        ['n', '1.5'],
        ['id', 'abcdef0123456789'],
      ]),
    })
    expect(rawOf(row)).toBe(
      '{"message":"say \\"hi\\"\\n","n":1.5,"id":"abcdef0123456789","none":null,"toString":""}',
    )
  })
})

describe('the length that is counted on the way', () => {
  it('is never more than the printed result, and grows with every row', () => {
    const rows = [makeRow({ columns: new Map([['a', 'x'.repeat(100)]]) }), makeRow()]
    const table = tableOf(rows, [column('a')])
    const printed = table.finish().rows.flat().join(',').length + table.rowCount
    expect(table.textLength).toBeGreaterThan(100)
    expect(table.textLength).toBeLessThanOrEqual(printed)
  })
})
