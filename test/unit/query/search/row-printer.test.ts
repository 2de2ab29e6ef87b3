import { describe, expect, it } from 'vitest'
import type { ResultShape } from '../../../../query/search/print/result-shape.ts'
import type { RowPrinter } from '../../../../query/search/print/row-printer.ts'
import { makeExportPrinter, makeFilePrinter } from '../../../../query/search/print/row-printer.ts'
import { printAnswer, toCsvData, toXmlData } from '../../../../query/search/print/xml.ts'
import { toByteText } from '../../../../schemas/byte-text.ts'

const HOSTILE = ['a,"b"', 'line\nend\r', '<&>]]>', '\u0000\ufffe', 'ü\u2028', '']

function print(printer: RowPrinter, rows: readonly (readonly string[])[]): string {
  const text = printer.opening + rows.map((row) => printer.print(row)).join('') + printer.closing
  return Buffer.from(printer.toBytes(text)).toString('utf8')
}

function table(columns: readonly ['text' | 'number' | 'date', string][]): ResultShape {
  return {
    version: 1,
    dateFormat: 'yyyy',
    timeZone: 'UTC',
    rows: { kind: 'table', columns: columns.map(([cell, name]) => ({ cell, name })) },
  }
}

describe('a file', () => {
  const columns = ['a', 'b<"', 'c', 'd', 'e', 'f']
  const rows = [HOSTILE, HOSTILE.toReversed()]

  it('of xml is the document that would have been the answer', () => {
    const data = toXmlData({ columns, rows })
    expect(print(makeFilePrinter('xml', columns, 7), rows)).toBe(
      printAnswer({ state: 'OK', token: '', numberOfResults: 7, data }),
    )
  })

  it('of csv is what a reader finds in Data', () => {
    const data = toCsvData({ columns, rows })
    const inData = data
      .replaceAll('&#13;', '<![CDATA[\r]]>')
      .replaceAll(']]><![CDATA[', '')
      .slice('<![CDATA['.length, -']]>'.length)
    expect(print(makeFilePrinter('csv', columns, 7), rows)).toBe(inData)
  })
})

describe('an export', () => {
  it('of json has an object a line, without what is missing', () => {
    const shape = table([
      ['text', 'a "name"'],
      ['text', 'ü'],
    ])
    const printed = print(makeExportPrinter('json', shape), [
      [toByteText('ü"\n'), ''],
      ['', '1'],
      ['', ''],
    ])
    expect(printed).toBe('{"a \\"name\\"":"ü\\"\\n"}\n{"ü":"1"}\n{}\n')
  })

  it('of json has computed numbers as numbers, whatever their size, and nothing else', () => {
    const shape = table([
      ['number', 'n'],
      ['text', 't'],
      ['date', 'd'],
    ])
    const printer = makeExportPrinter('json', shape)
    for (const n of ['0', '-1.5', '1e+30', '18446744073709551615'])
      expect(printer.print([n, n, n])).toBe(`{"n":${n},"t":"${n}","d":"${n}"}\n`)
    for (const n of ['01', '1.', 'NaN', '1,000', '0x1'])
      expect(printer.print([n, '', ''])).toBe(`{"n":"${n}"}\n`)
  })

  it('of json has no key twice', () => {
    const shape = table([
      ['text', 'a'],
      ['text', 'a'],
      ['text', 'a_2'],
      ['text', '__proto__'],
    ])
    expect(makeExportPrinter('json', shape).print(['1', '2', '3', '4'])).toBe(
      '{"a":"1","a_2":"2","a_2_2":"3","__proto__":"4"}\n',
    )
  })

  it('of plain CSV changes nothing in its cells', () => {
    const names: ['text', string][] = HOSTILE.map((name) => ['text', name])
    const bytes = HOSTILE.map(toByteText)
    expect(print(makeExportPrinter('csv-plain', table(names)), [bytes])).toBe(
      `${'"a,""b""","line\nend\r",<&>]]>,\u0000\ufffe,ü\u2028,\n'.repeat(2)}`,
    )
  })
})
