// Lines so short that what is noted of each takes more than the line, and an event log that takes
// small blocks: a piece goes in parts, each line once, whatever is cut off between them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type CollectPlace, openCollectPlace } from '../../support/collect/collect-place.ts'

/** As small as one may be. */
const MAX_BLOCK_BYTES = 3 * 1024 * 1024
const LINES = 400_000

let collect: CollectPlace
beforeAll(async () => {
  collect = await openCollectPlace()
})
afterAll(() => collect?.close())

it('stores each line once, in its order', async () => {
  const { eventLog } = collect.place
  const path = join(collect.files, 'short.log')
  const lines = Array.from({ length: LINES }, (_, at) => String((at * 7) % 10))
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  const logId = await collect.addLog('short', { filePaths: [path] })
  let appended = 0
  let refused = 0
  const small = (
    mostBlocks: number,
  ): Pick<EventLog, 'append' | 'partitions' | 'maxBlockBytes'> => ({
    partitions: eventLog.partitions,
    maxBlockBytes: MAX_BLOCK_BYTES,
    append: async (partition, bytes) => {
      if (bytes.length > MAX_BLOCK_BYTES)
        throw new Failure('event_log.block_too_large', { maxBlockBytes: MAX_BLOCK_BYTES })
      if (appended >= mostBlocks) {
        refused += 1
        throw new Failure('event_log.unavailable')
      }
      appended += 1
      return await eventLog.append(partition, bytes)
    },
  })
  const stopped = await collect.collect({ eventLog: small(1) })
  await collect.until('the second block is refused', () => refused > 0)
  await stopped.stop()
  expect(appended).toBe(1)
  const running = await collect.collect({ eventLog: small(1000) })
  const collected = () => running.telemetry.progress()[0]
  await collect.until('all is collected', () => collected()?.behindBytes === 0, collected)
  await running.stop()
  const messages = await collect.messages(logId)
  expect(messages.length).toBe(LINES)
  expect(messages.join('') === lines.join('')).toBe(true)
})
