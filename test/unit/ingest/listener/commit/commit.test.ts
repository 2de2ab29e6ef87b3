// The commit without HTTP: what files and syslog will call, too.
import { expect, it } from 'vitest'
import { makeLogger } from '../../../../../infra/logger.ts'
import { openMetrics } from '../../../../../infra/metrics.ts'
import {
  Commit,
  type CommitOutcome,
  type EventsToCommit,
} from '../../../../../ingest/listener/commit/commit.ts'
import { GroupCommit } from '../../../../../ingest/listener/commit/group-commit.ts'
import { partitionOf } from '../../../../../ingest/listener/commit/partition.ts'
import { Receipts } from '../../../../../ingest/listener/commit/receipt.ts'
import { Telemetry } from '../../../../../ingest/listener/telemetry.ts'
import { decodeBlock } from '../../../../../schemas/block/codec.ts'
import { Failure } from '../../../../../schemas/failures.ts'
import { FakeEventLog } from '../../../../support/event-log/fake-event-log.ts'
import { makeAccount } from '../../../../support/ingest/split-event.ts'
import { makeManualClock } from '../../../../support/run/manual-clock.ts'

const LINE: EventsToCommit = {
  account: makeAccount({ id: 7, version: 3 }),
  receivedMs: 1_717_243_200_000,
  hostName: 'router-1',
  peer: '10.0.0.1',
  idempotencyKey: 'syslog 1',
  form: 'syslog',
  body: Buffer.from('one two'),
  ranges: Uint32Array.of(0, 3, 4, 7),
  rejections: [],
  origins: {
    places: [{ host: 'router-1', source: 'kern' }],
    placeOf: Uint32Array.of(0, 0),
    times: Float64Array.of(1, 0, Number.NaN, 0),
  },
}

function start(eventLog = new FakeEventLog(4)) {
  const clock = makeManualClock()
  const logger = makeLogger({ level: 'error', process: 'test', clock, write: () => undefined })
  const metrics = openMetrics('test')
  const telemetry = new Telemetry(metrics, logger, () => 0)
  const groups = new GroupCommit({ eventLog, listener: 'start-1', clock, logger, telemetry })
  const receipts = new Receipts(Buffer.alloc(32, 7))
  const commit = new Commit({ groups, partitions: eventLog.partitions, receipts, telemetry })
  const commitOne = () =>
    new Promise<CommitOutcome>((resolve) => commit.commitEvents(LINE, resolve))
  return { eventLog, metrics, receipts, commitOne }
}

it('makes events durable as they are said to be, in the partition of their sender', async () => {
  const { commitOne, eventLog, receipts, metrics } = start()
  const outcome = await commitOne()
  const partition = partitionOf(7, 'router-1', 4)
  expect(outcome.kind).toBe('durable')
  const receipt = outcome.kind === 'durable' ? outcome.receipt : ''
  expect(receipts.parse(receipt, 7)).toEqual({ partition, offset: 0 })
  expect(eventLog.blocks.map((block) => block.partition)).toEqual([partition])
  const { account, ...events } = LINE
  expect(decodeBlock(eventLog.blocks[0]?.bytes ?? new Uint8Array()).requests).toEqual([
    { ...events, accountId: account.id, accountVersion: account.version },
  ])
  expect(await metrics.text()).toMatch(/listener_events_total\{state="accepted"[^}]*\} 2/)
})

it('says when they are not, and that their end is unknown', async () => {
  const { commitOne, eventLog, metrics } = start()
  eventLog.failure = new Failure('event_log.full')
  expect(await commitOne()).toEqual({ kind: 'failed', code: 'listener.event_log_full' })
  expect(await metrics.text()).toMatch(/listener_events_total\{state="undecided"[^}]*\} 2/)
})
