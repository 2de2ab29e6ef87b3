// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the form of a variable
// Values of variables in queries: whatever they hold, the query asks the same.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindVariables, quote } from '../../../../query/dashboards/bind-variables.ts'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { makeQueryCatalog } from '../../../../query/language/resolve/query-catalog.ts'

const catalog = makeQueryCatalog([], new Map())
const bind = (text: string, ...values: string[]) =>
  bindVariables(text, new Map([['x', values]]), (it) => parseQuery(it, catalog))

const HOSTILE = [
  ...['"', '\\', '\\"', '" or *', '"" | count', 'a" in log."b', ') or (', ']', '${x}', '*', '?'],
  ...[
    'null',
    'not',
    'in log.secret',
    'a\\',
    '\\\\" or 1=1',
    'x\u001fy',
    '\u2028',
    '🦊',
    '$&',
    '$1',
  ],
]

describe('variables', () => {
  it.each([
    ['status = ${x}', ['a'], 'status = "a"'],
    ['status = ${x}', ['a', 'b'], '(status = "a" or status = "b")'],
    ['status != ${x}', ['a', 'b'], '(status != "a" and status != "b")'],
    ['status in (${x}) | count', ['a', 'b'], 'status in ("a", "b") | count'],
    ['error ${x}', ['a', 'b'], 'error ("a" or "b")'],
    ['error ${x} | count', [], 'error * | count'],
    ['a status = ${x}', [], 'a *'],
    ['a not status = ${x}', [], 'a *'],
    ['error in log.${x}', ['my log'], 'error in log."my log"'],
    ['error in log.${x}', ['a', 'b'], 'error in log."a", log."b"'],
    ['* | count | where count > ${x}', ['5'], '* | count | where count > "5"'],
  ])('%s with %j is %s', (text, values, expected) => {
    expect(bind(text, ...values)).toBe(expected)
  })

  it.each([
    'error | count | group by ${x}',
    '"in ${x} text"',
    'st${x}us = 1',
    'error | limit ${x}',
    'error ${x}${x}',
  ])('are refused in %s', (text) => {
    expect(() => bind(text, 'value')).toThrow()
  })

  it('cannot change what is asked', () => {
    for (const value of HOSTILE) {
      expect(bind('status = ${x} | count', value)).toBe(`status = ${quote(value)} | count`)
    }
    const value = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
    fc.assert(
      fc.property(value, (one) => {
        const text = bind('status = ${x} and city contains ${x} | count', one)
        const { source, stages } = parseQuery(text, catalog)
        expect(stages.length).toBe(1)
        const shape = JSON.stringify(source, (key, it) => (key === 'text' ? '' : it))
        expect(shape.match(/"kind":"test"/g)?.length).toBe(2)
        expect(shape).not.toContain('"kind":"or"')
      }),
      { numRuns: 300 },
    )
  })

  it('are not read as a query where a text is one', () => {
    const text = 'transaction("${x}","id","Begin" -> "End","id","End")'
    expect(() => bind(text, 'a or b')).toThrow()
  })
})
