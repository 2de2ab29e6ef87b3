import { describe, expect, it } from 'vitest'
import { parseByteSize } from '../../../schemas/byte-size.ts'

describe('a size', () => {
  it.each([
    ['0', 0],
    ['10485760', 10_485_760],
    ['10 MiB', 10_485_760],
    ['10mib', 10_485_760],
    ['512k', 524_288],
    ['1.5 GiB', 1_610_612_736],
    ['2G', 2 * 1024 ** 3],
    ['1 TiB', 1024 ** 4],
    ['400 MB', 400_000_000],
    ['7 B', 7],
  ])('%s is %i bytes', (text, bytes) => {
    expect(parseByteSize(text)).toBe(bytes)
  })

  it.each([
    '',
    ' ',
    'MiB',
    '-1',
    '1,000',
    '10  MiB',
    ' 10',
    '1e6',
    '1.0000001 KiB',
    '0.3 B',
    '10 XiB',
    '9999999999 TiB',
  ])('%j is none', (text) => {
    expect(parseByteSize(text)).toBeUndefined()
  })
})
