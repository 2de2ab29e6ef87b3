// MaxMind's own test file (test/fixtures/README.md), and city.json: what its source says of each
// network.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MmdbReader } from '../../../../ingest/patterns/values/mmdb-reader.ts'
import { parseAddress } from '../../../../ingest/split/source-address.ts'
import { makeLocator } from '../../../../ingest/split/template/locator.ts'
import { series } from '../../../support/run/tier.ts'

const FILE = readFileSync('test/fixtures/geoip/city.mmdb')
type Row = [network: string, country: string, city: string, latitude: number, longitude: number]
const ROWS: Row[] = JSON.parse(readFileSync('test/fixtures/geoip/city.json', 'utf8'))

/** A network within another one hides its first address. */
const addressOf = (network: string) => network.slice(0, network.indexOf('/'))

describe('MmdbReader', () => {
  it('finds each network of the file as its source says', () => {
    const locate = makeLocator(FILE)
    const addresses = ROWS.map(([network]) => addressOf(network))
    const rows = ROWS.filter((_, i) => addresses.lastIndexOf(addresses[i] ?? '') === i)
    expect(rows.length).toBeGreaterThan(200)
    for (const [network, country, city, latitude, longitude] of rows) {
      expect([network, locate(addressOf(network))]).toEqual([
        network,
        {
          ...{ country, city },
          ...{ latitude: latitude ?? undefined, longitude: longitude ?? undefined },
        },
      ])
    }
  })

  it('knows nothing of other addresses and of what is none', () => {
    const locate = makeLocator(FILE)
    expect(locate('10.0.0.1')).toBeUndefined()
    expect(locate('::')).toBeUndefined()
    expect(locate('web-01')).toBeUndefined()
    // Remembered.
    expect(locate('10.0.0.1')).toBeUndefined()
  })

  it('refuses what is no such file', () => {
    expect(() => new MmdbReader(Buffer.from('nothing'))).toThrow(RangeError)
    expect(() => new MmdbReader(FILE.subarray(0, 1000))).toThrow(RangeError)
  })

  it('throws nothing else for a damaged file, and does not hang', () => {
    const places = ['2.125.160.216', '81.2.69.142', '2001:218::1', '89.160.20.112']
    const addresses = places.map((place) => parseAddress(place) ?? [])
    const change = fc.tuple(fc.nat(FILE.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 40 }), (changes) => {
        const bytes = Buffer.from(FILE)
        for (const [at, value] of changes) bytes[at] = value
        try {
          const reader = new MmdbReader(bytes)
          for (const address of addresses) reader.locate(address)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: series(330, 2000) },
    )
    expect(addresses.every(({ length }) => length > 0)).toBe(true)
  })
})
