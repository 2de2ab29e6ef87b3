import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ScanLimits,
  type Scanned,
  Scanner,
  scanBody,
} from '../../../../ingest/listener/scan/scan.ts'
import { naiveScan } from '../../../support/ingest/naive-scan.ts'
import { series } from '../../../support/run/tier.ts'

const LIMITS: ScanLimits = { maxEvents: 100, maxEventBytes: 400, maxDepth: 4, maxColumns: 6 }

/** Events as text; '!code' for a rejection with its text. */
function show(body: string | Buffer, limits = LIMITS): string[] | string {
  const bytes = Buffer.from(body)
  const scanned = scanBody(bytes, limits)
  if (scanned.kind === 'refused') return `${scanned.code} at ${scanned.index}`
  const shown: string[] = []
  const text = (start: number, end: number) => bytes.subarray(start, end).toString('latin1')
  for (let i = 0; i < scanned.ranges.length; i += 2) {
    shown.push(text(scanned.ranges[i] ?? 0, scanned.ranges[i + 1] ?? 0))
  }
  for (const { index, code, start, end } of scanned.rejections) {
    shown.splice(index, 0, `!${code} ${text(start, end)}`)
  }
  return shown
}

describe('shapes of a body', () => {
  it.each([
    ['one object', '{"a":1}', ['{"a":1}']],
    ['an array', ' [ {"a":1} , {"b":2} ] ', ['{"a":1}', '{"b":2}']],
    ['lines', '{"a":1}\n{"b":2}\r\n\n{"c":3}', ['{"a":1}', '{"b":2}', '{"c":3}']],
    ['concatenated objects', '{"a":1}{"b":2} {"c":3}', ['{"a":1}', '{"b":2}', '{"c":3}']],
    ['objects over lines', '{\n "a":1\n}\n{\n"b":\n2}\n', ['{\n "a":1\n}', '{\n"b":\n2}']],
    ['a byte order mark', '\ufeff{"a":1}', ['{"a":1}']],
    ['strings in an array', '["a",{"b":1}]', ['"a"', '{"b":1}']],
    ['strings on lines', '"a"\n {"b":1} \n"c"', ['"a"', '{"b":1}', '"c"']],
    ['a string on a line that ends', '"a"\n', ['"a"']],
    ['a string alone', '"a"', ['!not_an_object "a"']],
    ['a string beside an object', '{"b":1} "a"\n', ['{"b":1}', '!not_an_object "a"']],
    [
      'numbers, null and arrays on lines',
      '1\nnull\n[{"a":1}]\n',
      ['!not_an_object 1', '!not_an_object null', '!not_an_object [{"a":1}]'],
    ],
    [
      'numbers and arrays in an array',
      '[-1.5e+3,true,[[]],{}]',
      ['!not_an_object -1.5e+3', '!not_an_object true', '!not_an_object [[]]', '{}'],
    ],
    ['nothing', ' \r\n\t', []],
    ['an empty array', '[ ]', []],
  ])('takes %s', (_, body, events) => {
    expect(show(body)).toEqual(events)
  })
})

describe('what is not JSON', () => {
  it.each([
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":1e}',
    '{"a":-}',
    '{"a":"\\q"}',
    '{"a":"\\u12g4"}',
    '{"a":"\\u12',
    '{"a":"\u0001"}',
    '{"a":tru}',
    '{"a":TRUE}',
    '{"a" 1}',
    '{"a":1,}',
    '{,}',
    '{"a":[1,]}',
    '{"a":[1}',
    '{"a":{"b":1]',
    "{'a':1}",
    '{a:1}',
    '{"a":NaN}',
    '{"a":1 "b":2}',
    '{"a":1',
    '12{"a":1}',
    'nullnull',
    '\u00a0{}',
  ])('refuses %s', (body) => {
    expect(show(Buffer.from(body, 'latin1'))).toEqual([`!invalid_json ${body}`])
  })

  it('takes bytes that are no UTF-8, lone surrogates, NUL as an escape and numbers of any size', () => {
    const body = Buffer.from(
      '{"a":"\xff\xc0 \\ud800 \\u0000","b":1e400,"c":123456789012345678901234567890}',
      'latin1',
    )
    expect(show(body)).toHaveLength(1)
    expect(show(body)).toEqual([body.toString('latin1')])
  })
})

describe('after a broken value', () => {
  it('goes on at the next line that begins an object', () => {
    expect(show('{"a":1\n{"b":2}\n{"c":\n{"d":4}')).toEqual([
      '!invalid_json {"a":1',
      '{"b":2}',
      '!invalid_json {"c":',
      '{"d":4}',
    ])
  })

  it('goes on behind the line where the value broke when no line begins an object', () => {
    expect(show('{\n "a": x,\n "b": {"c":1}\n}\n{"d":4}')).toEqual([
      '!invalid_json {\n "a": x,',
      '!not_an_object "b"',
      '!invalid_json : {"c":1}',
      '!invalid_json }',
      '{"d":4}',
    ])
  })

  it('refuses an array as a whole and says at which event', () => {
    expect(show('[{"a":1},{"b":2},{"c":x},{"d":4}]')).toBe('invalid_json at 2')
    expect(show('[{"a":1}')).toBe('invalid_json at 1')
    expect(show('[{"a":1},]')).toBe('invalid_json at 1')
    expect(show('[{"a":1}]x')).toBe('invalid_json at 1')
  })

  it('looks at a body of unclosed lines in linear time', { timeout: 60_000 }, () => {
    const body = Buffer.from('{"a":[\n'.repeat(200_000))
    const limits = { ...LIMITS, maxEvents: 1_000_000, maxEventBytes: 1e7 }
    const scanned = scanBody(body, limits)
    expect(scanned.kind === 'events' && scanned.rejections.length).toBeGreaterThan(0)
  })
})

describe('limits of an event', () => {
  it('counts levels from the event itself', () => {
    expect(show('{"a":{"b":[{}]}}')).toEqual(['{"a":{"b":[{}]}}'])
    expect(show('{"a":{"b":[{"c":[]}]}}\n{}')).toEqual(['!too_deep {"a":{"b":[{"c":[]}]}}', '{}'])
    const deep = `${'{"a":['.repeat(5000)}${']}'.repeat(5000)}`
    const limits = { ...LIMITS, maxEventBytes: 1e6 }
    expect(show(`${deep}\n{"b":1}`, limits)).toEqual([`!too_deep ${deep}`, '{"b":1}'])
    expect(show(`${'{"a":['.repeat(5000)}${']}'.repeat(4999)}`, limits)).toHaveLength(1)
  })

  it('counts as columns the members outside arrays whose value is no object with members', () => {
    const six = '{"a":1,"b":{"c":2,"d":[{"x":1,"y":1,"z":1}]},"e":{},"f":[],"g":"t"}'
    expect(show(six)).toEqual([six])
    const seven = six.replace('{"a"', '{"_":null,"a"')
    expect(show(`${seven}\n${six}`)).toEqual([`!too_many_columns ${seven}`, six])
  })

  it('counts the bytes of the event, not of the line', () => {
    const fits = `{"a":"${'x'.repeat(392)}"}`
    expect(fits).toHaveLength(400)
    const over = fits.replace('{', '{ ')
    expect(show(`   ${fits}   \n${over}\n${JSON.stringify('y'.repeat(399))}\n`)).toEqual([
      fits,
      `!too_large ${over}`,
      `!too_large ${JSON.stringify('y'.repeat(399))}`,
    ])
  })

  it('refuses the whole request above the number of events, good and bad', () => {
    expect(show('{}'.repeat(100))).toHaveLength(100)
    expect(show('{}'.repeat(101))).toBe('too_many_events at 100')
    expect(show('x\n'.repeat(101))).toBe('too_many_events at 100')
    expect(show(`[${Array(101).fill('1')}]`)).toBe('too_many_events at 100')
  })
})

describe('agreement with the naive scanner', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false, 0, '', [], {}),
      fc.array(tie('any'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.string({ maxLength: 3 }), tie('any'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  }))
  const printed = fc
    .tuple(value.any, fc.constantFrom(0, 0, 1, '\t'))
    .map(([any, space]) => JSON.stringify(any, null, space))
  const object = fc
    .tuple(value.object, fc.constantFrom(0, 0, 0, 1))
    .map(([any, space]) => JSON.stringify(any, null, space))
  const gap = fc.constantFrom('\n', '\n', '\n', '\r\n', '', ' ', '\n\n', ' \n', ',', '\n{', 'x\n')
  const lines = fc
    .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: object }, printed), gap), { maxLength: 8 })
    .map((parts) => parts.flat().join(''))
  const array = fc
    .tuple(
      fc.array(fc.oneof(object, printed), { maxLength: 6 }),
      fc.constantFrom('', '', '\n', 'x'),
    )
    .map(([parts, tail]) => `[${parts.join(' ,')}]${tail}`)
  const body = fc.oneof(lines, array).map((text) => Buffer.from(text))
  const mutation = fc.record({
    at: fc.nat(),
    bytes: fc.constantFrom(
      '',
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '\n',
      '0',
      'e',
      '-',
      ' ',
      'u',
      '\x00',
      '\xff',
    ),
    removed: fc.nat({ max: 2 }),
  })
  const mutated = fc.tuple(body, fc.array(mutation, { maxLength: 3 })).map(([bytes, changes]) =>
    changes.reduce((before, change) => {
      const at = change.at % (before.length + 1)
      const inserted = Buffer.from(change.bytes, 'latin1')
      return Buffer.concat([before.subarray(0, at), inserted, before.subarray(at + change.removed)])
    }, bytes),
  )
  const limits: ScanLimits = { maxEvents: 7, maxEventBytes: 60, maxDepth: 3, maxColumns: 4 }

  it('gives the same ranges and rejections for random and damaged bodies, in one piece and in slices', () => {
    fc.assert(
      fc.property(mutated, fc.integer({ min: 1, max: 9 }), (bytes, slice) => {
        const naive = naiveScan(bytes, limits)
        expect(scanBody(bytes, limits)).toEqual(naive)
        expect(scanInSlices(bytes, slice)).toEqual(naive)
      }),
      { numRuns: series(250, 1500) },
    )
  }, 60_000)

  function scanInSlices(bytes: Buffer, slice: number): Scanned {
    const scanner = new Scanner(bytes, limits)
    let runs = 0
    while (!scanner.run(slice)) runs += 1
    expect(runs).toBeLessThanOrEqual(2 * bytes.length)
    return scanner.result()
  }
})
