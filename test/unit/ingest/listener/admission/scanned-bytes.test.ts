import { describe, expect, it } from 'vitest'
import { scannedBytes } from '../../../../../ingest/listener/admission/scanned-bytes.ts'
import { scanBody } from '../../../../../ingest/listener/scan/scan.ts'

const LIMITS = { maxEvents: 100_000, maxEventBytes: 1 << 20, maxDepth: 32, maxColumns: 1024 }

function bytesOf(body: string): number {
  const scanned = scanBody(Buffer.from(body), LIMITS)
  if (scanned.kind === 'refused') throw new Error(scanned.code)
  return scannedBytes(scanned)
}

describe('what a judged request holds beside its body', () => {
  it('is nothing worth counting for usual ones', () => {
    expect(bytesOf('{"a":1}')).toBe(0)
    expect(bytesOf('{"a":1}\n'.repeat(100))).toBe(0)
  })

  it('is more than the body where its events are tiny', () => {
    expect(bytesOf('{}'.repeat(1000))).toBe(8 * 1000)
    expect(bytesOf(`${'1\n'.repeat(99_999)}{}`)).toBe(72 * 99_999 + 8)
  })

  it('has the sources of events in it', () => {
    const places = Array.from({ length: 100 }, () => ({ host: 'h', source: 's'.repeat(99) }))
    const origins = { places, placeOf: new Uint32Array(100), times: new Float64Array() }
    const ranges = new Uint32Array(200)
    expect(scannedBytes({ kind: 'events', ranges, rejections: [], origins })).toBe(
      800 + 400 + 100 * (64 + 200),
    )
  })
})
