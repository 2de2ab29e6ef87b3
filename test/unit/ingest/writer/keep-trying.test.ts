import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { makeLogger } from '../../../../infra/logger.ts'
import { keepTrying } from '../../../../ingest/writer/keep-trying.ts'
import { Failure, type FailureCode } from '../../../../schemas/failures.ts'

async function levelsOf(code: FailureCode): Promise<string[]> {
  const lines: string[] = []
  const logger = makeLogger({
    ...{ level: 'info', process: 'work', clock: systemClock },
    write: (line) => lines.push(line),
  })
  let calls = 0
  const run = () => {
    calls += 1
    return calls < 3 ? Promise.reject(new Failure(code)) : Promise.resolve('done')
  }
  const { signal } = new AbortController()
  const around = { clock: systemClock, logger, partition: 0, signal }
  expect(await keepTrying('not done, trying again', run, around)).toBe('done')
  return lines.map((line) => JSON.parse(line).level)
}

describe('what the writer repeats', () => {
  it('is a warning each time, and an error where time does not mend it', async () => {
    expect(await levelsOf('store.unavailable')).toEqual(['warn', 'warn'])
    expect(await levelsOf('store.damaged')).toEqual(['error', 'error'])
  })
})
