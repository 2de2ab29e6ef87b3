// Forwarding over real engines: from which event on, and that one policy holds no other.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { changePolicy } from '../../../infra/metastore/policies/collection-policies.ts'
import { addDeletion } from '../../../infra/metastore/retention/deletions.ts'
import { openKafkaTarget } from '../../../ingest/forward/targets/kafka.ts'
import { type RunningForwarder, startForwarder } from '../../support/forward/forwarder.ts'
import { type OtherSide, startOtherSide } from '../../support/forward/other-side.ts'
import { SOON } from '../../support/run/patience.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { openWriterPlace, POLICIES, type WriterPlace } from '../../support/writer/writer-place.ts'

const SECOND_MS = 1000

let place: WriterPlace
let other: OtherSide
let silent: OtherSide
const forwarders: RunningForwarder[] = []
beforeAll(async () => {
  ;[place, other, silent] = await Promise.all([
    openWriterPlace(),
    startOtherSide(),
    startOtherSide({ isSilent: true }),
  ])
})
afterAll(async () => {
  other?.close()
  silent?.close()
  await place?.close()
})
beforeEach(() => {
  other.texts.length = 0
  return async () => {
    for (const it of forwarders.splice(0)) await it.stop()
    for (const id of POLICIES.slice(1)) await forward(id, '')
    await place.clear()
  }
})

it('sends on what was received since the change, however late the forwarder is', async () => {
  const nowMs = testClock.nowMs()
  await receive(2, nowMs - SECOND_MS, 'of before')
  await forward(2, other.address, nowMs)
  await receive(2, nowMs, 'at once')
  await receive(3, nowMs, 'of another policy')
  await receive(2, nowMs + SECOND_MS, 'later')
  await place.storeAll()
  start()
  await expect.poll(() => other.texts, SOON).toEqual(['at once', 'later'])
  await receive(2, nowMs + SECOND_MS, 'while it runs')
  await place.storeAll()
  await expect.poll(() => other.texts, SOON).toEqual(['at once', 'later', 'while it runs'])
})

it('sends on nothing that was deleted before, as soon as the command has answered', async () => {
  const nowMs = testClock.nowMs()
  await forward(2, other.address, nowMs)
  for (const message of ['kept', 'deleted', 'kept, too']) await receive(2, nowMs, message)
  await place.storeAll()
  const { database } = place.metastore
  const deletion = {
    ...{ logId: 1, log: 'a2', condition: "message = 'deleted'", events: 1, bytes: 1 },
    ...{ askedBy: 'ann', askedMs: nowMs },
  }
  await database.write((transaction) => addDeletion(transaction, deletion, 'abc'))
  start()
  await expect.poll(() => other.texts, SOON).toEqual(['kept', 'kept, too'])
  await database.write((transaction) => transaction.deleteFrom('deletions').execute())
})

it('begins anew where a policy was taken off meanwhile', async () => {
  const nowMs = testClock.nowMs()
  await forward(2, other.address, nowMs)
  const forwarder = start()
  await receive(2, nowMs, 'first')
  await place.storeAll()
  await expect.poll(() => other.texts, SOON).toEqual(['first'])
  await forwarder.stop()
  await receive(2, nowMs, 'while it is stopped')
  await forward(2, '')
  await receive(2, nowMs, 'while it is off')
  await forward(2, other.address, nowMs + SECOND_MS)
  await receive(2, nowMs + SECOND_MS, 'since then')
  await place.storeAll()
  start()
  await expect.poll(() => other.texts, SOON).toEqual(['first', 'since then'])
})

it('sends the events of others on while one does not end', async () => {
  const nowMs = testClock.nowMs()
  await sendToNobody(nowMs)
  start()
  await expect.poll(() => silent.connections(), SOON).toBe(1)
  await forward(2, other.address)
  await forward(3, other.address, nowMs)
  await receive(3, nowMs, 'of another policy')
  await place.storeAll()
  await expect.poll(() => other.texts.toSorted(), SOON).toEqual(['of another policy', 'to nobody'])
})

it('stops while the other side says nothing', async () => {
  const before = silent.connections()
  // Gives up after Kafka's own time: before the forwarder's call, which begins later.
  const target = await openKafkaTarget(silent.kafkaAddress)
  const sent = target.send({ key: '', events: [], nameOf: () => '' }, new AbortController().signal)
  const givenUp = sent.then(
    () => 'sent',
    () => 'given up',
  )
  await expect.poll(() => silent.connections(), SOON).toBe(before + 1)
  await sendToNobody(testClock.nowMs())
  const forwarder = start()
  await expect.poll(() => silent.connections(), SOON).toBe(before + 2)
  const stopped = forwarder.stop().then(() => 'stopped')
  expect(await Promise.race([stopped, givenUp])).toBe('stopped')
})

async function sendToNobody(nowMs: number): Promise<void> {
  await forward(2, silent.kafkaAddress, nowMs)
  await receive(2, nowMs, 'to nobody')
  await place.storeAll()
}

function start(): RunningForwarder {
  const forwarder = startForwarder(place)
  forwarders.push(forwarder)
  return forwarder
}

async function receive(policyId: number, receivedMs: number, message: string): Promise<void> {
  await place.append([
    { accountId: policyId, receivedMs, events: [{ message, log: `a${policyId}` }] },
  ])
}

async function forward(id: number, forwardTo: string, nowMs = testClock.nowMs()): Promise<void> {
  await place.metastore.database.write((transaction) =>
    changePolicy(transaction, `p${id}`, { forwardTo }, { nowMs: () => nowMs }),
  )
}
