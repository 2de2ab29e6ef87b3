import { describe, expect, test } from 'vitest'
import {
  columnPlaceholder,
  FLAT_LAYOUT_START,
  hostPlaceholder,
  isLayoutName,
  isRawStored,
  isWholeEvent,
  type LayoutRow,
  messagePlaceholder,
  RAW_LAYOUT,
  rebuildRaw,
  timePlaceholder,
  WHOLE_LAYOUT,
} from '../../../schemas/event-layout.ts'
import { encodeTimeFormat } from '../../../schemas/time/time-format.ts'

function makeRow(
  layout: string,
  columns: Readonly<Record<string, string | number | boolean>> = {},
): LayoutRow {
  const values = new Map(Object.entries(columns))
  return {
    layout,
    raw: 'as stored',
    message: 'm "1"',
    host: 'web-01',
    timestampMs: 1_588_205_199_824,
    timestampNanos: 370_000,
    column: (name) => values.get(name),
  }
}

describe('event layout', () => {
  test('a stored event is given as it is', () => {
    expect(rebuildRaw(makeRow(RAW_LAYOUT))).toBe('as stored')
    expect(rebuildRaw(makeRow(WHOLE_LAYOUT))).toBe('as stored')
    expect([isRawStored('r'), isRawStored('w'), isRawStored('f{}')]).toEqual([true, true, false])
    expect([isWholeEvent('r'), isWholeEvent('w'), isWholeEvent('f{}')]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('each placeholder is filled from its place', () => {
    const iso = encodeTimeFormat({
      kind: 'iso',
      separator: 'T',
      digits: 5,
      fractionMark: '.',
      zone: 'colon',
      offsetSeconds: 7200,
    })
    const seconds = encodeTimeFormat({ kind: 'epoch', unit: 's', digits: 5 })
    const layout = [
      FLAT_LAYOUT_START,
      `{"m":${messagePlaceholder('quoted')},\n\t"h":${hostPlaceholder('quoted')}`,
      `,"t":${timePlaceholder('quoted', iso)},"s":${timePlaceholder('bare', seconds)}`,
      `,"a":${columnPlaceholder('quoted', 'a')},"n":${columnPlaceholder('bare', 'n.x y')}`,
      `,"e":${columnPlaceholder('bare', 'e')},"b":${columnPlaceholder('bare', 'b')}}`,
    ].join('')
    const row = makeRow(layout, { a: 'é\n', 'n.x y': 1e21, e: '1.10', b: false })
    expect(rebuildRaw(row)).toBe(
      '{"m":"m \\"1\\"",\n\t"h":"web-01","t":"2020-04-30T02:06:39.82437+02:00","s":1588205199.82437' +
        ',"a":"é\\n","n":1e+21,"e":1.10,"b":false}',
    )
  })

  test('a column that the row has not was null or empty', () => {
    const layout = `f[${columnPlaceholder('quoted', 'a')},${columnPlaceholder('bare', 'a')}]`
    expect(rebuildRaw(makeRow(layout))).toBe('["",null]')
  })

  test('a message and host that were no strings stand bare', () => {
    const layout = `f${messagePlaceholder('bare')} ${hostPlaceholder('bare')}`
    expect(rebuildRaw(makeRow(layout))).toBe('m "1" web-01')
  })

  test('a name that holds the mark of its end is refused', () => {
    expect(isLayoutName('a\u0001\n')).toBe(true)
    expect(isLayoutName('a\u0002')).toBe(false)
  })
})
