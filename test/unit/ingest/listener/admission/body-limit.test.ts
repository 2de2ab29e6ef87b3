import { expect, it } from 'vitest'
import { bodyLimitOf } from '../../../../../ingest/listener/admission/body-limit.ts'

const MIB = 1024 * 1024

function limitOf(maxBodyBytes: number, maxBlockBytes: number) {
  const warnings: unknown[] = []
  const warn = (message: string, fields?: unknown) => void warnings.push({ message, fields })
  return { limit: bodyLimitOf({ maxBodyBytes }, { maxBlockBytes }, { warn }), warnings }
}

it('is the one that is configured where blocks are larger', () => {
  expect(limitOf(10 * MIB, 16 * MIB)).toEqual({ limit: 10 * MIB, warnings: [] })
})

it('is what a block takes where the event log takes only smaller ones, and says so once', () => {
  const limit = 3 * MIB - 4096
  expect(limitOf(10 * MIB, 3 * MIB)).toEqual({
    limit,
    warnings: [
      {
        message: 'bodies are limited by the blocks of the event log',
        fields: {
          configuredBodyBytes: 10 * MIB,
          maxBodyBytes: limit,
          maxBlockBytes: 3 * MIB,
        },
      },
    ],
  })
})
