import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../../query/search/print/csv.ts'

const read = (text: string) =>
  parse(text, { recordDelimiter: '\n', bom: false, relaxQuotes: false, skipEmptyLines: false })

describe('CSV', () => {
  it('quotes what RFC 4180 asks for and nothing else', () => {
    expect(
      toCsv({
        columns: ['plain', 'odd, name'],
        rows: [
          ['a b', 'c'],
          ['x"y', '1,2'],
          ['line\nfeed', 'r\r'],
          [undefined, ''],
          [' a', '=1+1'],
        ],
      }),
    ).toBe('plain,"odd, name"\na b,c\n"x""y","1,2"\n"line\nfeed","r\r"\n,\n a,=1+1\n')
  })

  it('prints the header when there is no row', () => {
    expect(toCsv({ columns: ['timestamp', 'log'], rows: [] })).toBe('timestamp,log\n')
  })

  it('does not let a lone empty cell become an empty line', () => {
    expect(toCsv({ columns: ['x'], rows: [[undefined], ['']] })).toBe('x\n""\n""\n')
  })

  it('writes no byte order mark, also for a name that begins with one', () => {
    expect(toCsv({ columns: ['\ufeffx'], rows: [] })).toBe('"\ufeffx"\n')
  })

  it('gives a strict reader back every table', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '"', '""', ',', '\n', '\r\n', '\r', ' ', '"a', 'a"'),
    )
    const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 6,
      }),
    )
    void fc.assert(
      fc.property(table, (rows) => {
        const columns = (rows[0] ?? []).map((_, index) => `c${index}`)
        expect(read(toCsv({ columns, rows }))).toEqual([columns, ...rows])
      }),
    )
  })
})
