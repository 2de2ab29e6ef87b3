import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../../../ingest/patterns/match/compile-pattern.ts'
import { PatternMatcher } from '../../../../ingest/patterns/match/pattern-matcher.ts'
import { columnsOf, columnsOfLine, valuesOf } from '../../../support/patterns/columns-of.ts'
import { patternTwin } from '../../../support/patterns/pattern-twin.ts'
import { series } from '../../../support/run/tier.ts'

describe('a pattern', () => {
  it.each([
    ['{text:A} {text:B}', 'one two three', { A: 'one', B: 'two three' }],
    ['{text:A}: {number:N}', 'x: y: 5', { A: 'x: y', N: '5' }],
    ['{text:A}', 'a\nb', undefined],
    ['{text:A}-{string:B}', 'a-b\nc', { A: 'a', B: 'b\nc' }],
    ['"{text:A}"', '""', { A: '' }],
    ['{number:N}', '-12.50', { N: '-12.50' }],
    ['{number:N}.{number:M}', '1.2', { N: '1', M: '2' }],
    ['{number:N} {text:T}', '- x', { T: 'x' }],
    ['{number:N}', '--', undefined],
    ['{text:A}{number:N}', 'web-01', { A: 'web-', N: '01' }],
    ['{text:A}{number:N}', 'at -5', { A: 'at', N: '-5' }],
    ['{ip:A}:{number:P}', '10.0.0.1:443', { A: '10.0.0.1', P: '443' }],
    ['{ip:A} x', '2001:db8::1 x', { A: '2001:db8::1' }],
    ['{ip:A} x', '::ffff:10.1.2.3 x', { A: '::ffff:10.1.2.3' }],
    ['{ip:A}: x', 'fe80::1: x', { A: 'fe80::1' }],
    ['{geoip:A} x', '1:2:3:4:5:6:7:8 x', { A: '1:2:3:4:5:6:7:8' }],
    ['{ip:A}', '256.1.1.1', undefined],
    ['{ip:A}', '1.2.3.4.5', undefined],
    ['{ip:A}', '12:30:45', undefined],
    ['{choice:C,GET;GETX}{text:R}', 'GETX', { C: 'GET', R: 'X' }],
    ['{choice:C,GET;GETX} {text:R}', 'GETX a', { C: 'GETX', R: 'a' }],
    ['{choice:C,GET}', 'get', undefined],
    ['{priority:L,WARN;ERROR} {text:R}', 'warn a', { L: 'warn', R: 'a' }],
    ['{priority:L} {text:R}', 'Error a', { L: 'Error', R: 'a' }],
    ['{url:U,paramsName=Q} {text:R}', '/a?b=1&c=?d x y', { U: '/a', Q: 'b=1&c=?d', R: 'x y' }],
    ['"{url:U} {word:P}"', '"/a b HTTP/1.1"', { U: '/a b', P: 'HTTP/1.1' }],
    ['{url:U,paramsName=Q} {text:R}', '/a x', { U: '/a', R: 'x' }],
    ['a{block,start,emptiness=true} b{number:N}{block,end} c', 'a b1 c', { N: '1' }],
    ['a{block,start,emptiness=true} b{number:N}{block,end} c', 'a c', {}],
    ['a{block,start,emptiness=false} b{number:N}{block,end} c', 'a c', undefined],
    ['{text:A}{block,start,emptiness=true} ({text:B}){block,end}', 'a (b', { A: 'a (b' }],
    ['{number:A} {number:B}{eoe}', '1 2 more', { A: '1', B: '2' }],
    ['{number:A} {number:B}{eoe}', '1 2more', undefined],
    ['{number:A} {number:B}', '1 2 more', undefined],
    ['{number:A} {text:B}{eoe}', '1 2 more', { A: '1', B: '2 more' }],
    ['{{{text:A}}}', '{x}', { A: 'x' }],
    ['{text:A} é{text:B}', 'ü éß', { A: 'ü', B: 'ß' }],
    ['{text:A} {number:N} [{text:T}]', 'a   5  [ x ]', { A: 'a', N: '5', T: 'x' }],
    ['{text:A}={string:B}', ' a = b ', { A: 'a', B: ' b ' }],
    ['{text:A} {text:B}', 'a  b', { A: 'a', B: 'b' }],
    ['{word:A} {word:B}: {text:C}', 'a b c: d: e', undefined],
    ['{word:A} {word:B}: {text:C}', 'a b:c: d', { A: 'a', B: 'b:c', C: 'd' }],
    ['{text} {text:B}', 'a b', { '': 'a', B: 'b' }],
    ['{text:M} {pairs:P}', 'go on a=1 b=2', { M: 'go on', P: 'a=1 b=2' }],
    ['{text:M} {json:P}', 'go {on} {"a":{"b":1}} ', { M: 'go', P: '{on} {"a":{"b":1}} ' }],
  ])('%s on %j gives %j', (pattern, line, columns) => {
    expect(columnsOfLine(pattern, line)).toEqual(columns)
  })

  it('reads numbers and times', () => {
    expect(valuesOf('{number:A} {number:B} {number:C}', '12 -0.5 007')).toEqual({
      ...{ A: 12, B: -0.5, C: '007' },
    })
    const long = '123456789012345678901234567890'
    expect(valuesOf('{number:A} {number:B}', `1.10 ${long}`)).toEqual({ A: '1.10', B: long })
    expect(valuesOf('{timestamp:T}', '1588205199824')).toEqual({ T: '2020-04-30T00:06:39.824Z+0' })
    expect(valuesOf('{timestamp:T,product=1000}', '1588205199.82437')).toEqual({
      T: '2020-04-30T00:06:39.824Z+370000',
    })
  })

  it('leaves no column of an event before', () => {
    const pattern = 'a{block,start,emptiness=true} b{text:N}{block,end} c'
    const matcher = new PatternMatcher(compilePattern(pattern))
    expect(columnsOf(matcher, 'a bx c')).toEqual({ N: 'x' })
    expect(columnsOf(matcher, 'a c')).toEqual({})
  })

  it('says where a line stops fitting', () => {
    const matcher = new PatternMatcher(
      compilePattern('{ip:A} [{text:B}] {choice:C,GET;PUT} {text:D}'),
    )
    const line = Buffer.from('10.0.0.1 [x y] POST /')
    expect(matcher.match(line, 0, line.length)).toBe(false)
    expect(matcher.farthestAt).toBe(15)
    const { element } = matcher.program.instructions[matcher.farthest] ?? {}
    expect(element?.kind === 'column' && element.name).toBe('C')
  })
})

const lineOf = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '1', '.', '=', '\n'), maxLength })

describe('the reading that is taken', () => {
  it('is that of the regular expression that says the same', () => {
    fc.assert(
      fc.property(
        patternTwin,
        fc.array(lineOf(24), { minLength: 1, maxLength: 8 }),
        (twin, lines) => {
          const matcher = new PatternMatcher(compilePattern(twin.pattern))
          const expression = new RegExp(twin.source)
          for (const line of lines) {
            const match = expression.exec(line)
            const expected =
              match === null
                ? undefined
                : Object.fromEntries(
                    match
                      .slice(1)
                      .flatMap((text, i) => (text === undefined ? [] : [[`c${i}`, trimmed(text)]])),
                  )
            const columns = columnsOf(matcher, line)
            for (const [name, text] of Object.entries(columns ?? {}))
              Object.assign(columns ?? {}, { [name]: trimmed(text) })
            expect(columns).toEqual(expected)
          }
        },
      ),
      { numRuns: series(500, 3000) },
    )
  })

  it('stays the same when failures are noted', () => {
    const pattern = `${'{text:A#}=a'.repeat(6).replace(/#/g, () => `${pad++}`)} {number:N}`
    const matcher = new PatternMatcher(compilePattern(pattern))
    const line = `${'=a'.repeat(2000)} 7`
    expect(columnsOf(matcher, `${line}x`)).toBeUndefined()
    const columns = columnsOf(matcher, line)
    expect(columns).toMatchObject({ A0: '', A4: '', N: '7' })
    expect(columns?.A5?.length).toBe(2 * 1994)
  })
})

/** Spaces around a text do not belong to it. */
function trimmed(text: string): string {
  return text.replace(/^ +| +$/g, '')
}

let pad = 0
