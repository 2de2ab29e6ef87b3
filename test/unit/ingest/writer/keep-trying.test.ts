import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { makeLogger } from '../../../../infra/logger.ts'
import { keepTrying } from '../../../../ingest/writer/keep-trying.ts'
import { Failure, type FailureCode } from '../../../../schemas/failures.ts'

/** Of the lines logged, and what health was told. */
async function triesOf(code: FailureCode) {
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
  const told: (string | undefined)[] = []
  const telemetry = { tries: (phrase: string | undefined) => void told.push(phrase) }
  const around = { clock: systemClock, logger, partition: 0, signal, telemetry }
  expect(await keepTrying('not done, trying again', run, around)).toBe('done')
  return { levels: lines.map((line) => JSON.parse(line).level), told }
}

describe('what the writer repeats', () => {
  it('is a warning each time, and an error where time does not mend it', async () => {
    expect((await triesOf('store.unavailable')).levels).toEqual(['warn', 'warn'])
    expect((await triesOf('store.damaged')).levels).toEqual(['error', 'error'])
  })

  it('is told to health while it lasts', async () => {
    const phrase = 'not done, trying again'
    expect((await triesOf('database.damaged')).told).toEqual([phrase, phrase, undefined])
  })
})
