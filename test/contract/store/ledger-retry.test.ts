// The ledger beside a store that fails: it neither asks nor logs each second, and reads the parts
// when the store is back.
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import type { Store } from '../../../infra/store/port.ts'
import { makeLedger } from '../../../ingest/ledger/start.ts'
import { Failure } from '../../../schemas/failures.ts'
import { open, useMetastores } from '../../support/database/open-metastores.ts'
import { testClock } from '../../support/run/test-clock.ts'

useMetastores()

const HOUR_MS = 3_600_000
const PATIENT = { timeout: 240_000 }

it('asks a store that fails four times a minute at most, and reads its parts once it answers', async () => {
  const metastore = await open()
  let passedMs = 0
  const clock: Clock = {
    ...testClock,
    elapsedMs: () => passedMs,
    sleep: async (ms) => {
      passedMs += ms
      await setImmediate()
    },
  }
  let isBack = false
  const asked: string[] = []
  const store = {
    catchUp: async () => {},
    query: async ({ sql }: { sql: string }) => {
      asked.push(sql)
      if (!isBack) throw new Failure('store.unavailable')
      return []
    },
  } as unknown as Store
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const ledger = makeLedger({
    store,
    isOwnStore: true,
    eventLog: { partitions: 0 } as EventLog,
    metastore,
    clock,
    logger: makeLogger({ level: 'warn', process: 'test', clock: testClock, write }),
    metrics: openMetrics('test'),
  })
  ledger.start()
  await expect.poll(() => passedMs, PATIENT).toBeGreaterThan(HOUR_MS)
  expect(lines.length / (passedMs / 60_000)).toBeLessThan(5)
  expect(ledger.isReady()).toBe(false)
  isBack = true
  await expect.poll(() => asked.join(), PATIENT).toContain('modification_time DESC')
  expect(ledger.isReady()).toBe(true)
  await ledger.stop()
}, 150_000)
