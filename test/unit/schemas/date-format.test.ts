import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { localToUtcMs, utcMsToLocal } from '../../../schemas/time/local-time.ts'

const at = (text: string) => utcMsToLocal(Date.parse(text))
const noon = at('2026-11-20T12:05:09.007Z')

describe('date format, printing', () => {
  it.each([
    ['MM/dd/yyyy HH:mm:ss', '11/20/2026 12:05:09'],
    ['yyyy-MM-dd HH:mm:ss.SSS', '2026-11-20 12:05:09.007'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2026-11-20T12:05:09+05:30'],
    ['EEE, d MMM yyyy h:m:s a Z', 'Fri, 20 Nov 2026 12:5:9 PM +0530'],
    ['EEEE d MMMM yy', 'Friday 20 November 26'],
    ["h 'o''clock' a", "12 o'clock PM"],
    ['K k H', '0 12 12'],
    ["''yyyy''", "'2026'"],
    ['S SS SSSSSS', '0 00 007000'],
    ['X XX', '+0530 +0530'],
  ])('prints %s', (pattern, expected) => {
    expect(compileDateFormat(pattern).print(noon, 330)).toBe(expected)
  })

  it('prints the digits below the millisecond where it has letters for them', () => {
    const moment = { ...noon, nanosecond: 120_345 }
    const print = (pattern: string) => compileDateFormat(pattern).print(moment)
    expect(print('ss.SSSSSS')).toBe('09.007120')
    expect(print('SSSSSSSSS SSSSSSSSSSS SSS')).toBe('007120345 00712034500 007')
    expect(compileDateFormat('HH:mm:ss').printWithMilliseconds(moment)).toBe('12:05:09.007')
  })

  it('prints midnight in every hour letter', () => {
    const midnight = at('2026-01-01T00:00:00Z')
    expect(compileDateFormat('H k K h a').print(midnight)).toBe('0 24 0 12 AM')
  })

  it('puts milliseconds behind the seconds only when they are not zero', () => {
    const format = compileDateFormat('dd.MM.yyyy hh:mm:ss a')
    expect(format.printWithMilliseconds(noon)).toBe('20.11.2026 12:05:09.007 PM')
    expect(format.printWithMilliseconds(at('2026-11-20T12:05:09Z'))).toBe('20.11.2026 12:05:09 PM')
    expect(compileDateFormat('HH:mm').printWithMilliseconds(noon)).toBe('12:05.007')
    expect(compileDateFormat('ss,SSS').printWithMilliseconds(noon)).toBe('09,007')
  })

  it.each(['yyyy-QQ', 'yyyy z', "yyyy 'open"])('refuses the pattern %s', (pattern) => {
    expect(() => compileDateFormat(pattern)).toThrow(RangeError)
  })
})

describe('date format, reading', () => {
  const format = compileDateFormat('MM/dd/yyyy HH:mm:ss')

  it.each([
    '1/02/2026 00:00:00',
    '01/02/26 00:00:00',
    '01/02/2026 00:00',
    '01/02/2026 00:00:00 ',
    ' 01/02/2026 00:00:00',
    '01/02/2026  00:00:00',
    '13/02/2026 00:00:00',
    '02/29/2026 00:00:00',
    '02/00/2026 00:00:00',
    '01/02/2026 24:00:00',
    '01/02/2026 00:60:00',
    '01/02/2026 00:00:60',
    '01/02/2026T00:00:00',
    '0１/02/2026 00:00:00',
    '',
  ])('refuses %j', (text) => {
    expect(format.parse(text)).toBeUndefined()
  })

  it('takes the leap day of a leap year', () => {
    expect(format.parse('02/29/2028 23:59:59')?.local).toEqual(at('2028-02-29T23:59:59Z'))
  })

  it('treats the pattern characters that regular expressions use as text', () => {
    const odd = compileDateFormat('yyyy.MM.dd (HH)+')
    expect(odd.parse('2026.01.02 (03)+')?.local.hour).toBe(3)
    expect(odd.parse('2026x01.02 (03)+')).toBeUndefined()
  })

  it('reads half days, names and offsets', () => {
    const half = compileDateFormat('d MMM yyyy h:mm a')
    expect(half.parse('1 Jan 2026 12:30 AM')?.local.hour).toBe(0)
    expect(half.parse('1 Jan 2026 12:30 PM')?.local.hour).toBe(12)
    expect(half.parse('1 Jan 2026 13:30 PM')).toBeUndefined()
    expect(half.parse('1 Jan 2026 0:30 PM')).toBeUndefined()
    expect(half.parse('1 January 2026 1:30 PM')).toBeUndefined()
    const zoned = compileDateFormat('yyyy-MM-dd HH:mm XXX')
    expect(zoned.parse('2026-01-01 10:00 -08:30')?.offsetMinutes).toBe(-510)
    expect(zoned.parse('2026-01-01 10:00 Z')?.offsetMinutes).toBe(0)
    expect(zoned.parse('2026-01-01 10:00 +19:00')).toBeUndefined()
    expect(compileDateFormat('E yyyy-MM-dd').parse('Mon 2026-11-20')).toBeUndefined()
    expect(compileDateFormat('E yyyy-MM-dd').parse('Fri 2026-11-20')).toBeDefined()
  })

  it('reads back whatever it prints', () => {
    const patterns = [
      'MM/dd/yyyy HH:mm:ss.SSS',
      'yyyyMMddHHmmssSSS',
      'EEEE, d. MMMM yyyy kk:m:s,SSS XXX',
      'h:mm:ss.SSS a M/d/yyyy',
    ].map(compileDateFormat)
    void fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(2199, 11, 31) }),
        fc.constantFrom(...patterns),
        (ms, pattern) => {
          const read = pattern.parse(pattern.print(utcMsToLocal(ms)))
          expect(read && localToUtcMs(read.local)).toBe(ms)
        },
      ),
    )
  })
})
