import { describe, expect, it } from 'vitest'
import { TemplateMatcher } from '../../../../ingest/patterns/match/template-matcher.ts'
import { verifyPatterns } from '../../../../ingest/patterns/samples/verify-patterns.ts'

const NOW_MS = Date.UTC(2026, 10, 24)
const verify = (patterns: string[], sample: string) => verifyPatterns(patterns, sample, NOW_MS)

describe('verifyPatterns', () => {
  it('shows what each column gives', () => {
    const pattern =
      '{ip:IP,ftype=remoteip} [{date:Date,dd/MMM/yyyy:HH:mm:ss z}] {number:Size} {text:R}'
    expect(verify([pattern], '10.0.0.1 [20/Nov/2026:10:00:01 +0100] 1.50 x y\n')).toEqual({
      fitting: 1,
      linesLeft: 0,
      events: [
        {
          ...{ line: 1, pattern: 1 },
          columns: [
            { name: 'IP', text: '10.0.0.1', kind: 'text', ftype: 'remoteip' },
            {
              ...{ name: 'Date', text: '20/Nov/2026:10:00:01 +0100', kind: 'time' },
              time: '2026-11-20T09:00:01.000Z',
            },
            { name: 'Size', text: '1.50', kind: 'number' },
            { name: 'R', text: 'x y', kind: 'text' },
          ],
        },
      ],
    })
  })

  it.each([
    ['{ip:A} {number:B}', '10.0.0.1 x', 10, 'a number', 'x'],
    ['{ip:A} {number:B}', '10.0.0.1', 9, 'the text " "', 'the end of the line'],
    ['{ip:A} {number:B}', '10.0.0.1 5 x', 11, 'the end of the line', ' x'],
    ['{text:A}: {number:B}', 'abc', 1, 'any text on one line, and after it the text ": "', 'abc'],
    ['é{choice:A,GET;PUT} x', 'éPOST x', 2, 'one of GET, PUT', 'POST x'],
    ['[{date:A,yyyy-MM-dd}]', '[2026-13-01]', 2, 'a date such as yyyy-MM-dd', '2026-13-01]'],
    ['{text:A} {json:B}', 'a b', 3, 'a JSON object up to the end of the line', 'b'],
  ])('says where %s stops on %s', (pattern, line, at, expected, found) => {
    const [event] = verify([pattern], line).events
    expect(event?.stop).toEqual({ at, pattern: 1, expected, found })
  })

  it('takes the first pattern that fits, and names the one that came farthest', () => {
    const { fitting, events } = verify(['{number:A} {number:B}', '{number:A} {ip:B}'], '1 ::1\n2 x')
    expect(fitting).toBe(1)
    expect(events.map(({ line, pattern }) => [line, pattern])).toEqual([
      [1, 2],
      [2, 0],
    ])
    expect(events[1]?.stop?.pattern).toBe(1)
  })

  it('numbers events of several lines by their first', () => {
    const { events } = verify(['{number:A} {string:B}'], '1 a\n at x\n2 b\n')
    expect(events.map(({ line }) => line)).toEqual([1, 3])
    expect(events[0]?.columns[1]?.text).toBe('a\n at x')
  })

  it('looks at the first thousand lines and says how many are left', () => {
    const { events, linesLeft } = verify(['{number:A}'], '1\n\n'.repeat(600))
    expect([events.length, linesLeft]).toEqual([500, 200])
    expect(verify(['{number:A}'], '1\n'.repeat(1000)).linesLeft).toBe(0)
    expect(verify(['{number:A}'], `${'1\n'.repeat(1000)}1`).linesLeft).toBe(1)
  })

  it('stops when the lines take too many steps', () => {
    const short = (patterns: string[], sample: string) =>
      verifyPatterns(patterns, sample, NOW_MS, { lines: 1000, steps: 2000 })
    const { fitting, events, linesLeft } = short(['{text:A} x'], `${'a'.repeat(90)} x\n`.repeat(50))
    expect(fitting).toBe(events.length)
    expect(events.length).toBeGreaterThan(10)
    expect(events.length + linesLeft).toBe(50)
    expect(linesLeft).toBeGreaterThan(10)
    const lines = `1 ${'\nm'.repeat(100)}`
    expect(
      short(['{string:A}{newline}{string:B}{newline}x', '{number:C} {string:D}'], lines),
    ).toEqual({
      ...{ fitting: 0, linesLeft: 101, events: [] },
    })
  })

  it('holds nobody up long, whatever the patterns and the lines are: it stops after its steps', () => {
    const patterns = Array.from({ length: 20 }, () => `${'{text:}a '.repeat(20)}{number:A}x`)
    const line = (words: number) => 'a '.repeat(words)
    const stepsOf = (words: number) => {
      const template = new TemplateMatcher(patterns)
      const most = 1e9
      template.stepsLeft = most
      const bytes = Buffer.from(line(words))
      expect(template.match(bytes, 0, bytes.length)).toBeUndefined()
      return most - template.stepsLeft
    }
    // A line twice as long takes twice the steps.
    const [short, long] = [stepsOf(150), stepsOf(300)]
    expect(long / short).toBeGreaterThan(1.8)
    expect(long / short).toBeLessThan(2.2)
    const seen = (steps: number) => {
      const lines = `${line(300)}\n`.repeat(20)
      const { events, linesLeft } = verifyPatterns(patterns, lines, NOW_MS, { lines: 1000, steps })
      expect(events.length + linesLeft).toBe(20)
      return events.length
    }
    expect([seen(long * 3 + 1), seen(long * 7 + 1)]).toEqual([3, 7])
  })

  it('shows the columns inside of pairs and JSON', () => {
    const inside = (pattern: string, line: string) =>
      verify([pattern], line).events[0]?.columns.map(({ name, text, kind }) => [name, text, kind])
    expect(inside('{pairs}', 'a=1 b="x \\"y\\"" a=2 c=')).toEqual([
      ['a', '1', 'number'],
      ['b', 'x "y"', 'text'],
    ])
    expect(inside('{text:M} {json:J}', 'm {"a":{"b":1},"c":[1,"x"],"d":null,"e":true}')).toEqual([
      ['M', 'm', 'text'],
      ['J.a.b', '1', 'number'],
      ['J.c', '[1,"x"]', 'text'],
      ['J.e', 'true', 'text'],
    ])
    const numbers = '{"a":1e400,"b":12345678901234567890,"c": -0.10 ,"d":[1e400, {"x":"]"}]}'
    expect(inside('{json}', numbers)).toEqual([
      ['a', '1e400', 'number'],
      ['b', '12345678901234567890', 'number'],
      ['c', '-0.10', 'number'],
      ['d', '[1e400, {"x":"]"}]', 'text'],
    ])
    expect(inside('{json}', '{"a":{"b":1},"a.b":2,"c":{"d":3},"c":4,"e":5,"e":null}')).toEqual([
      ['a.b', '2', 'number'],
      ['c', '4', 'number'],
    ])
    expect(inside('{text:M} {json:J}', 'm {"a":}')).toEqual([['M', 'm', 'text']])
  })
})
