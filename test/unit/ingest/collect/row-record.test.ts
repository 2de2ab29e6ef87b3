// A row of a database as the record of an event: whole up to 1 MiB, else cut, and said.
import { describe, expect, it } from 'vitest'
import { printCutQuery } from '../../../../infra/database/foreign/cut-rows.ts'
import { RemoteFault } from '../../../../infra/outbound/remote-fault.ts'
import { CutRows, readRow } from '../../../../ingest/collect/tasks/query/row-record.ts'

const SETTINGS = { markColumn: 'id', messageColumn: '', timeColumn: '' }
const MIB = 1024 * 1024
const LIMIT = 128 * 1024

function read(
  columns: Readonly<Record<string, string | null>>,
  cut: { name: string; bytes: number }[] = [],
) {
  return readRow({ values: Object.entries(columns), cut }, SETTINGS)
}

describe('the record of a row', () => {
  it('is whole where it has 1 MiB, and counts the bytes of its text', () => {
    const around = Buffer.byteLength(read({ id: '1', text: '' }).record)
    const text = `${'€'.repeat(1000)}${'x'.repeat(MIB - around - 3000)}`
    const row = read({ id: '1', text, none: null })
    expect(row).toMatchObject({ mark: '1', bytes: MIB, cut: [] })
    expect(JSON.parse(row.record)).toEqual({ id: 1, text })
    expect(read({ id: '1', text: `${text}x` }).cut).toEqual([
      { name: 'text', bytes: Buffer.byteLength(text) + 1 },
    ])
  })

  it('has the begin of each large cell, whatever JSON makes of it', () => {
    const row = read({ id: '1', a: '\x01'.repeat(MIB), b: 'short', c: `x${'🦊'.repeat(MIB)}` })
    const most = Math.floor(LIMIT / 4)
    expect(row.cut).toEqual([
      { name: 'a', bytes: MIB },
      { name: 'c', bytes: 1 + 4 * MIB },
    ])
    expect(JSON.parse(row.record)).toEqual({
      ...{ id: 1, a: '\x01'.repeat(most), b: 'short' },
      // Half a character is none.
      c: `x${'🦊'.repeat((most - 2) / 2)}`,
      'copied.cut': `a: ${MIB} bytes, c: ${1 + 4 * MIB} bytes`,
    })
    expect(row.bytes).toBe(Buffer.byteLength(row.record))
  })

  it('says what the server has cut, but not over a column of that name', () => {
    const cut = [{ name: 'a', bytes: 7 * MIB }]
    expect(JSON.parse(read({ id: '1', a: 'x' }, cut).record)).toEqual({
      ...{ id: 1, a: 'x', 'copied.cut': `a: ${7 * MIB} bytes` },
    })
    expect(JSON.parse(read({ id: '1', a: 'x', 'copied.cut': 'mine' }, cut).record)).toEqual({
      ...{ id: 1, a: 'x', 'copied.cut': 'mine' },
    })
  })

  it('is refused where the mark is cut, or nothing helps', () => {
    expect(() => read({ id: 'x'.repeat(2 * MIB), a: '' })).toThrow('choose another column')
    expect(() => read({ id: 'x', a: '' }, [{ name: 'id', bytes: 2 * MIB }])).toThrow(RemoteFault)
    const many = Array.from({ length: 1600 }, (_, at) => [`${'ü'.repeat(400)}${at}`, '1'])
    expect(() => read({ id: '7', ...Object.fromEntries(many) })).toThrow(
      'the row with the mark 7 is larger than 1 MiB',
    )
  })
})

it('names the first of the rows that are cut, and counts all', () => {
  const rows = new CutRows()
  const add = (mark: string, bytes?: number) =>
    rows.add({ mark, cut: bytes === undefined ? [] : [{ name: 'a', bytes }] })
  add('1')
  expect(rows.reason).toBe('')
  add('2', 9)
  expect(rows.reason).toMatch(/: 1, with the marks 2 \(a: 9 bytes\)$/)
  for (const mark of ['3', 'y'.repeat(1000), '5']) add(mark, 8)
  expect(rows.reason).toMatch(/: 4, with the marks 2 .*, 3 .*, y{100} \(a: 8 bytes\), …$/)
})

describe('the statement for rows', () => {
  const field = (name: string) => ({ name, dataTypeID: 25, dataTypeSize: -1 })
  const print = (...names: string[]) =>
    printCutQuery({ inner: 'q', fields: names.map(field), markColumn: 'id', after: '$1' })

  it('needs one column that is the mark', () => {
    expect(print('a', 'id')).toContain('WHERE marked_rows.c1 > $1 ORDER BY marked_rows.c1')
    expect(() => print('a', 'ID')).toThrow('its column id does not exist')
    expect(() => print('id', 'a', 'id')).toThrow('it gives two columns id')
  })

  it('holds no text of a column', () => {
    expect(print('id', `"; DROP TABLE t; --'`)).not.toContain('DROP')
  })
})
