import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteBuffer } from '../../../../../ingest/bytes/byte-buffer.ts'
import type { ColumnKind } from '../../../../../ingest/split/split-event.ts'
import { EventBlock, type RowPlace } from '../../../../../ingest/writer/native/event-block.ts'
import { EVENT_COLUMNS } from '../../../../../schemas/event-row.ts'
import { readShownColumns } from '../../../../../schemas/shown-columns.ts'
import { placeTexts } from '../../../../support/ingest/split-event.ts'
import { series } from '../../../../support/run/tier.ts'
import { readNativeBlock } from '../../../../support/store/native-reader.ts'
import { printOther } from '../../../../support/store/stored-event.ts'

type Column = readonly [
  name: string,
  kind: ColumnKind,
  value: string | number | boolean,
  isOther?: boolean,
]

type Row = {
  columns?: readonly Column[]
  message?: string
  rest?: string
  names?: string
  host?: string
  layout?: string
  isStoredRaw?: boolean
  ms?: number
  nanos?: number
  raw?: string
  intendedPath?: string
  slot?: number
}

function build(rows: readonly Row[], admit: RowPlace['admitColumn'] = () => true) {
  const block = new EventBlock()
  append(block, rows, admit)
  return read(block)
}

function append(block: EventBlock, rows: readonly Row[], admit: RowPlace['admitColumn']): void {
  rows.forEach((row, index) => {
    const columns = row.columns ?? []
    const event = placeTexts({
      message: row.message ?? 'm',
      rest: row.rest ?? '',
      names: row.names ?? '',
      host: row.host ?? 'h',
      layout: row.layout ?? 'f',
      isStoredRaw: row.isStoredRaw ?? false,
      timestampMs: row.ms ?? 0,
      timestampNanos: row.nanos ?? 0,
      size: 7,
      columnNames: columns.map(([name]) => name),
      columnKinds: columns.map(([, kind]) => kind),
      columnValues: columns.map(([, , value]) => value),
      areOthers: columns.map(([, , , isOther]) => isOther ?? false),
    })
    const raw = Buffer.from(row.raw ?? 'raw')
    block.append(event, {
      slot: row.slot ?? 0,
      admitColumn: admit,
      intendedPath: row.intendedPath ?? '',
      receivedMs: 1_700_000_000_001,
      source: 's',
      partition: 3,
      offset: 2 ** 40 + 5,
      index,
      body: raw,
      start: 0,
      end: raw.length,
    })
  })
}

function read(block: EventBlock) {
  const out = new ByteBuffer()
  block.write(out, [11, 12], [1, 2])
  return readNativeBlock(out.bytes.subarray(0, out.length))
}

/** What a UTF-8 reader sees of a JavaScript string. */
const wellFormed = (text: string) => Buffer.from(text).toString('utf8')

describe('a native block of events', () => {
  test('carries the columns of the table in their order with their types to the letter', () => {
    const { types } = build([{}])
    expect(Object.entries(types)).toEqual(EVENT_COLUMNS.map(({ name, type }) => [name, type]))
  })

  test('holds log and policy by slot, and positions beyond 32 bits', () => {
    const { columns } = build([{ slot: 1 }, { slot: 0 }])
    expect(columns.log_id).toEqual([12, 11])
    expect(columns.policy).toEqual([2, 1])
    expect(columns.offset).toEqual([1_099_511_627_781n, 1_099_511_627_781n])
    expect(columns.index).toEqual([0, 1])
    expect(columns.partition).toEqual([3, 3])
  })

  test('holds times to the nanosecond up to 2199', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7_258_118_399_999 }), fc.nat(999_999), (ms, nanos) => {
        const { columns } = build([{ ms, nanos }])
        expect(columns.timestamp).toEqual([BigInt(ms) * 1_000_000n + BigInt(nanos)])
      }),
    )
  })

  test('gives back every text, whatever its length and script', () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom(
          '',
          'a'.repeat(39),
          'ä'.repeat(64),
          '€'.repeat(43),
          'x'.repeat(127),
          'x'.repeat(16_384),
          '\ud800',
        ),
      ),
      { minLength: 1, maxLength: 20 },
    )
    fc.assert(
      fc.property(texts, (values) => {
        const { columns } = build(values.map((text) => ({ message: text, host: text, rest: text })))
        const seen = values.map(wellFormed)
        expect(columns.message).toEqual(seen)
        expect(columns.host).toEqual(seen)
        expect(columns.rest).toEqual(seen)
      }),
      { numRuns: series(30, 100) },
    )
  })

  test('gives back every column with its kind, absent ones absent', () => {
    const column = fc.oneof(
      fc.tuple(fc.constant('text' as const), fc.string({ maxLength: 50 })),
      fc.tuple(fc.constant('exactNumber' as const), fc.constantFrom('1.10', '1e400')),
      fc.tuple(fc.constant('number' as const), fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.tuple(fc.constant('bool' as const), fc.boolean()),
    )
    const row = fc.dictionary(fc.constantFrom('a', 'b', 'a.b', '', 'ä', '_'), column)
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const { columns } = build(
          rows.map((values) => ({
            columns: Object.entries(values).map(
              ([name, [kind, value]]): Column => [name, kind, value],
            ),
          })),
        )
        const types = {
          text: 'LowCardinality(String)',
          exactNumber: 'String',
          number: 'Float64',
          bool: 'Bool',
        }
        const expected = rows.map((values) =>
          Object.fromEntries(
            Object.entries(values).map(([name, [kind, value]]) => [name, [types[kind], value]]),
          ),
        )
        expect(columns.columns).toEqual(expected)
      }),
    )
  })

  test('stores a path of more than 2,000 texts as String, in row order with the exact numbers between', () => {
    const rows = Array.from(
      { length: 2500 },
      (_, i): Row => ({
        columns:
          i % 100 === 7
            ? [['p', 'exactNumber', `${i}.0`]]
            : i % 100 === 8
              ? []
              : [['p', 'text', `v${i}`]],
      }),
    )
    const { columns } = build(rows)
    expect(columns.columns).toEqual(
      rows.map((row) => (row.columns?.[0] ? { p: ['String', row.columns[0][2]] } : {})),
    )
  })

  test('keeps exactly 2,000 texts in the dictionary', () => {
    const { columns } = build(
      Array.from({ length: 4000 }, (_, i): Row => ({ columns: [['p', 'text', `v${i % 2000}`]] })),
    )
    expect(
      new Set(columns.columns?.map((row) => JSON.stringify(row).includes('LowCardinality'))),
    ).toEqual(new Set([true]))
  })

  test('puts ids beside their names and nowhere else', () => {
    const { columns } = build([
      {
        columns: [
          ['trace', 'id', 'aaaaaaaaaaaaaaaa'],
          ['span', 'id', 'bbbbbbbbbbbbbbbb'],
        ],
      },
      {},
      { columns: [['trace', 'id', 'cccccccccccccccc']] },
    ])
    expect(columns.id_names).toEqual(['trace\x02span', '', 'trace'])
    expect(columns.ids).toEqual(['aaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbb', '', 'cccccccccccccccc'])
    expect(columns.columns).toEqual([{}, {}, {}])
  })

  test('keeps the bytes of an event whose two keys make one name', () => {
    const { columns } = build([
      {
        columns: [
          ['a.b', 'number', 1],
          ['a.b', 'number', 2],
        ],
        raw: '{"a":{"b":1},"a.b":2}',
      },
    ])
    expect(columns.columns).toEqual([{ 'a.b': ['Float64', 1] }])
    expect(columns.raw).toEqual(['{"a":{"b":1},"a.b":2}'])
    expect(columns.layout).toEqual(['r'])
  })

  test('stores raw from the 2,001st layout on', () => {
    const { columns } = build(
      Array.from({ length: 2002 }, (_, i): Row => ({ layout: `f${i}` })).concat({ layout: 'f5' }),
    )
    expect(columns.layout?.slice(1999)).toEqual(['f1999', 'r', 'r', 'f5'])
    expect(columns.raw?.slice(1999)).toEqual(['', 'raw', 'raw', ''])
  })

  test('keeps value and bytes of a column that the guard refuses', () => {
    const { columns } = build(
      [
        {
          columns: [
            ['x', 'id', 'aaaaaaaaaaaaaaaa'],
            ['y', 'text', 'kept in rest already'],
          ],
          rest: '\x1fkept in rest already',
        },
      ],
      () => false,
    )
    expect([columns.id_names, columns.ids]).toEqual([[''], ['']])
    expect(columns.columns).toEqual([{}])
    expect(columns.rest).toEqual(['\x1fkept in rest already\x1faaaaaaaaaaaaaaaa'])
    expect(columns.raw).toEqual(['raw'])
  })

  test('has among the others what the names do not tell of', () => {
    const { columns } = build([
      {
        columns: [
          ['x', 'id', 'aaaaaaaaaaaaaaaa'],
          ['y', 'text', 'v'],
          ['z', 'text', '[1]', true],
        ],
        names: 'x\x02y',
        rest: '\x1f\x1fv\x1f1',
      },
    ])
    expect(columns.names).toEqual(['x\x02y'])
    expect([columns.id_names, columns.ids]).toEqual([['x'], ['aaaaaaaaaaaaaaaa']])
    expect(columns.others).toEqual([printOther('z', '[1]')])
  })

  test('names no column of an event of which one was refused, or came twice: the taken ones are others', () => {
    const event: Row = {
      columns: [
        ['x', 'id', 'aaaaaaaaaaaaaaaa'],
        ['y', 'number', 1.5],
        ['no', 'text', 'refused'],
        ['z', 'text', '[1]', true],
        ['y', 'text', 'again'],
      ],
      names: 'x\x02y\x02no\x02z\x02y',
      rest: '\x1f\x1f1.5\x1frefused\x1f\x1fagain\x1f1',
    }
    const { columns } = build(
      [event, { columns: [['y', 'text', 'v']], names: 'y' }],
      (name) => name !== 'no',
    )
    expect(columns.names).toEqual(['', 'y'])
    expect(columns.others).toEqual([printOther('z', '[1]') + printOther('y', '1.5'), ''])
    expect(columns.columns?.[0]).toEqual({
      y: ['Float64', 1.5],
      z: ['LowCardinality(String)', '[1]'],
    })
  })

  test('has the columns of the 2,001st list of names among the others', () => {
    const row = (i: number): Row => ({ columns: [[`k${i}`, 'text', `v${i}`]], names: `k${i}` })
    const { columns } = build([...Array.from({ length: 2001 }, (_, i) => row(i)), row(5)])
    expect(columns.names?.slice(1999)).toEqual(['k1999', '', 'k5'])
    expect(columns.others?.slice(1999)).toEqual(['', printOther('k2000', 'v2000'), ''])
  })

  test('names the intended path of an event in an overflow log, findable and with its bytes kept', () => {
    const { columns } = build([{ intendedPath: 'A->b', layout: 'w', isStoredRaw: true }])
    expect(columns.columns).toEqual([{ 'intended path': ['LowCardinality(String)', 'A->b'] }])
    expect(columns.others).toEqual([printOther('intended path', 'A->b')])
    expect(columns.rest).toEqual(['\x1fA->b'])
    expect(columns.layout).toEqual(['w'])
  })

  test.each([
    ['id', '0123456789abcdef', '\x1f'],
    ['text', 'forged', '\x1fforged'],
  ] as const)(
    'shows no place of the sender (%s) beside ours in an overflow log',
    (kind, value, rest) => {
      const name = 'intended path'
      const { columns } = build([
        { columns: [[name, kind, value]], names: name, rest, intendedPath: 'A->b' },
      ])
      expect(columns.columns).toEqual([{ [name]: ['LowCardinality(String)', 'A->b'] }])
      expect([columns.id_names, columns.ids]).toEqual([[''], ['']])
      expect(columns.others).toEqual([printOther(name, 'A->b')])
      expect(columns.rest).toEqual([
        kind === 'id' ? `\x1f\x1f${value}\x1fA->b` : '\x1fforged\x1fA->b',
      ])
      expect(columns.layout).toEqual(['r'])
      const [shownRest = '', names = ''] = [columns.rest?.[0], columns.names?.[0]].map(String)
      const others = printOther(name, 'A->b')
      const shown = readShownColumns({ rest: shownRest, names, others, idNames: '', ids: '' })
      expect([...shown]).toEqual([[name, 'A->b']])
    },
  )

  test('keeps long layouts and lists of names out of dictionaries', () => {
    const long = 'k'.repeat(32_769)
    const { columns } = build([
      { columns: [['k', 'text', 'v']], names: `k\x02${long}`, layout: 'f' },
      { layout: `f${long}` },
    ])
    expect(columns.names).toEqual(['', ''])
    expect(columns.others).toEqual([printOther('k', 'v'), ''])
    expect(columns.layout).toEqual(['f', 'r'])
    expect(columns.raw).toEqual(['', 'raw'])
  })

  test('holds nothing of the block before when it is used again', () => {
    const block = new EventBlock()
    append(
      block,
      Array.from({ length: 3000 }, (_, i): Row => ({ columns: [['p', 'text', `v${i}`]] })),
      () => true,
    )
    block.reset()
    append(block, [{}, { columns: [['p', 'bool', true]] }], () => true)
    expect(read(block)).toEqual(build([{}, { columns: [['p', 'bool', true]] }]))
  })
})
