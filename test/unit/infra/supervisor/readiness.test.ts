import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type LogFields, makeLogger } from '../../../../infra/logger.ts'
import {
  checkPart,
  type PartCheck,
  watchReadiness,
} from '../../../../infra/supervisor/readiness.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { type ManualClock, makeManualClock } from '../../../support/run/manual-clock.ts'

describe('a part', () => {
  it.each<[string, PartCheck, LogFields]>([
    ['is away in words', () => 'the store takes nothing', { cause: 'the store takes nothing' }],
    ['is away without a word', () => false, { cause: 'not ready' }],
    [
      'fails',
      () => Promise.reject(new Failure('store.unavailable', {}, new Error('secret'))),
      { failure: 'store.unavailable' },
    ],
  ])('that %s says so', async (_, check, cause) => {
    expect(await checkPart(check, makeManualClock())).toEqual({ isReady: false, cause })
  })

  it('that hangs does not answer', async () => {
    const clock = makeManualClock()
    const state = checkPart(() => new Promise(() => undefined), clock)
    await setImmediate()
    clock.advance(700)
    expect(await state).toEqual({ isReady: false, cause: { cause: 'does not answer' } })
  })
})

describe('the watch of the parts', () => {
  it('logs each change once, within two seconds, with its cause and since when', async () => {
    const clock = makeManualClock(Date.UTC(2026, 0, 1))
    let hangs = false
    const store: PartCheck = () => (hangs ? new Promise<boolean>(() => undefined) : true)
    const watch = startWatch(clock, new Map([['store', store]]))
    await run(clock, 3000)
    expect(watch.lines).toEqual([])
    hangs = true
    await run(clock, 2000)
    expect(watch.lines).toEqual([
      {
        level: 'warn',
        message: 'part is not ready',
        part: 'store',
        cause: 'does not answer',
        since: expect.stringMatching(/^2026-01-01T00:00:0[23]/),
      },
    ])
    await run(clock, 60_000)
    expect(watch.lines).toHaveLength(1)
    hangs = false
    await run(clock, 2000)
    expect(watch.lines.slice(1)).toEqual([
      expect.objectContaining({ level: 'info', message: 'part is ready again', part: 'store' }),
    ])
    watch.stop()
  })

  it('gives the parts of a start their time, then says what is missing', async () => {
    const clock = makeManualClock()
    const watch = startWatch(clock, new Map([['database', () => false]]))
    await run(clock, 14_000)
    expect(watch.lines).toEqual([])
    await run(clock, 3000)
    expect(watch.lines).toMatchObject([{ part: 'database', cause: 'not ready', since: null }])
    watch.stop()
  })
})

function startWatch(clock: ManualClock, parts: ReadonlyMap<string, PartCheck>) {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => {
    const { time: _, process: __, ...fields } = JSON.parse(line)
    lines.push(fields)
  }
  const logger = makeLogger({ level: 'info', process: 'test', clock, write })
  const stopping = new AbortController()
  void watchReadiness({ parts, clock, logger, signal: stopping.signal })
  return { lines, stop: () => stopping.abort() }
}

async function run(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await setImmediate()
    clock.advance(100)
  }
  await setImmediate()
}
