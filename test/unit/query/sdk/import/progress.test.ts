import { expect, it } from 'vitest'
import { printProgress } from '../../../../../query/sdk/client/import/progress.ts'

const MIB = 1024 * 1024

it.each([
  [
    { accepted: 34_000, rejected: 3, readBytes: 12.5 * MIB, ranBytes: 8 * MIB, elapsedMs: 1000 },
    '12.5 MiB of 100 MiB (12 %), 34000 events, 3 rejected, 8 MiB/s, 11 s left',
  ],
  [
    { accepted: 1, rejected: 0, readBytes: MIB, ranBytes: MIB / 64, elapsedMs: 1000 },
    '1 MiB of 100 MiB (1 %), 1 events, 16 KiB/s, 106 min left',
  ],
  [
    { accepted: 0, rejected: 0, readBytes: 0, ranBytes: 0, elapsedMs: 0 },
    '0 bytes of 100 MiB (0 %), 0 events, 0 bytes/s',
  ],
])('%j is told as %s', (progress, text) => {
  expect(printProgress({ ...progress, fileBytes: 100 * MIB })).toBe(text)
})
