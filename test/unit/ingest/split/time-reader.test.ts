import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BodySource } from '../../../../ingest/bytes/byte-source.ts'
import { TimeReader } from '../../../../ingest/split/time-reader.ts'
import type { ParsedTime } from '../../../../schemas/time/time-date.ts'
import { parseTime } from '../../../../schemas/time/time-text.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'

const second = fc.constantFrom(
  ...['2026-03-29T00:59:59', '2026-03-29T01:00:00', '2026-10-25T02:59:59', '1970-01-01T00:00:00'],
  ...['2016-12-31T23:59:60', '2199-12-31T23:59:59', '2026-03-29 01:00:00', ' 2026-03-29T1:00:0'],
  '1234567890123456789',
)
const fraction = fc.oneof(
  fc.stringMatching(/^[.,]\d{1,10}$/),
  fc.constantFrom('.5', '.50', '.500', '.999999999', '', '.', '.1x'),
)
const zone = fc.constantFrom('Z', 'Z', 'z', '', '+02:00', '-00:00', ' +0200', '-1130', 'e3', ' UTC')
const text = fc.tuple(second, fraction, zone).map((parts) => parts.join(''))

test('reads each time as it would be read alone, whatever was read before', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('UTC', 'Europe/Berlin'),
      fc.array(text, { minLength: 2, maxLength: 30 }),
      (name, texts) => {
        const out: ParsedTime = { ms: 0, nanos: 0, formatCode: 0 }
        const reader = new TimeReader(timeZone(name), out)
        for (const each of texts) {
          const alone: ParsedTime = { ms: 0, nanos: 0, formatCode: 0 }
          const isTime = parseTime(each, timeZone(name), alone)
          const source = new BodySource()
          source.take(Buffer.from(`"${each}"`))
          expect(reader.read(source, 1, each.length)).toBe(isTime)
          if (isTime) expect(out).toEqual(alone)
        }
      },
    ),
    { numRuns: 500 },
  )
})
