// What a judged request holds beside its body until it is answered: a body of tiny events costs
// many times its own bytes.
import type { EventOrigins } from '../../../schemas/block/schema.ts'
import type { Scanned } from '../scan/scan.ts'

/** Measured: 65 in Node 24. */
const REJECTION_BYTES = 72
const PLACE_BYTES = 64
const CHARACTER_BYTES = 2
/** Up to this, what is counted for every open request covers it. */
const COVERED_BYTES = 1024

/** 0 for what is small. */
export function scannedBytes(scanned: Extract<Scanned, { kind: 'events' }>): number {
  const { ranges, rejections, origins } = scanned
  const bytes = ranges.byteLength + rejections.length * REJECTION_BYTES
  const all = origins === undefined ? bytes : bytes + originBytes(origins)
  return all <= COVERED_BYTES ? 0 : all
}

function originBytes({ places, placeOf, times }: EventOrigins): number {
  let bytes = placeOf.byteLength + times.byteLength
  for (const { host, source } of places)
    bytes += PLACE_BYTES + (host.length + source.length) * CHARACTER_BYTES
  return bytes
}
