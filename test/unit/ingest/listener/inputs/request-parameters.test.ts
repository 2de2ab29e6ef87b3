import { describe, expect, it } from 'vitest'
import { isReserveReached } from '../../../../../ingest/listener/admission/disk-reserve.ts'
import { partitionOf } from '../../../../../ingest/listener/commit/partition.ts'
import {
  makeParameterReader,
  parseParameters,
} from '../../../../../ingest/listener/inputs/request-parameters.ts'

describe('parameters', () => {
  it.each([
    ['token=a&token=b', 'a'],
    ['token=&token=b', ''],
    ['x=1&&=&token=a%20b+c', 'a b c'],
    ['%74oken=a', 'a'],
    ['token', ''],
    ['token=a=b', 'a=b'],
    ['token=%', '%'],
    ['token=%zz%41', '%zzA'],
    ['token=%ff', '\ufffd'],
    ['Token=a', ''],
    ['', ''],
  ])('%s has the token %s', (query, token) => {
    expect(parseParameters(query).token).toBe(token)
  })

  it('trim the host and cut it at 255 characters, none in two', () => {
    expect(parseParameters('hostName=%20web-1%09').hostName).toBe('web-1')
    const long = `${'x'.repeat(254)}😀y`
    expect(parseParameters(`hostName=${encodeURIComponent(long)}`).hostName).toBe(
      `${'x'.repeat(254)}😀`,
    )
    expect(parseParameters('hostName=%20').hostName).toBe('')
  })

  it('know debug=1 only', () => {
    expect(parseParameters('debug=1').isDebug).toBe(true)
    expect(parseParameters('debug=true').isDebug).toBe(false)
  })

  it('are remembered by their text, for a bounded number of texts', () => {
    const read = makeParameterReader()
    const first = read('token=a&hostName=b')
    expect(read('token=a&hostName=b')).toBe(first)
    for (let n = 0; n < 1000; n += 1) read(`token=${n}`)
    expect(read('token=a&hostName=b')).not.toBe(first)
    expect(read('token=a&hostName=b')).toEqual(first)
  })
})

describe('partition', () => {
  it('is the same for one sender, ever', () => {
    expect(['web-1', 'web-2', '10.0.0.1', 'ä'].map((sender) => partitionOf(7, sender, 16))).toEqual(
      [14, 11, 10, 2],
    )
    expect(partitionOf(7, 'web-1', 1)).toBe(0)
  })

  it('spreads senders', () => {
    const counts = Array.from({ length: 8 }, () => 0)
    for (let n = 0; n < 8000; n += 1) {
      const partition = partitionOf(n % 3, `host-${n}`, 8)
      counts[partition] = (counts[partition] ?? 0) + 1
    }
    expect(Math.min(...counts)).toBeGreaterThan(800)
  })
})

describe('disk reserve', () => {
  const gib = 1024 ** 3

  it('is the smaller of 5 % and 2 GiB, or what is set', () => {
    expect(isReserveReached({ freeBytes: 0.4 * gib, totalBytes: 10 * gib }, undefined)).toBe(true)
    expect(isReserveReached({ freeBytes: 0.6 * gib, totalBytes: 10 * gib }, undefined)).toBe(false)
    expect(isReserveReached({ freeBytes: 1.9 * gib, totalBytes: 500 * gib }, undefined)).toBe(true)
    expect(isReserveReached({ freeBytes: 2.1 * gib, totalBytes: 500 * gib }, undefined)).toBe(false)
    expect(isReserveReached({ freeBytes: 10, totalBytes: 100 }, 11)).toBe(true)
    expect(isReserveReached({ freeBytes: 0, totalBytes: 100 }, 0)).toBe(false)
  })
})
