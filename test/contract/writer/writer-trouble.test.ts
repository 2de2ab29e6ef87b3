// The writer where something is wrong with the data, the limits or the store, on the real engines.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readDamage } from '../../../infra/metastore/ledger/store-damage.ts'
import { Failure } from '../../../schemas/failures.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import { SOON } from '../../support/run/patience.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

const DAY_MS = 86_400_000

let place: WriterPlace

beforeAll(async () => {
  place = await openWriterPlace()
})
beforeEach(() => place.clear())
afterAll(() => place.close())

async function messages(where?: string): Promise<string[]> {
  return (await place.rows(where)).map(({ message }) => message)
}

async function logId(folder: readonly string[], name: string): Promise<number> {
  const record = (await place.metastore.tree()).logsByPath.get(logPathKey(folder, name))
  if (record === undefined) throw new Error(`no log ${name}`)
  return record.id
}

describe('the writer', () => {
  test('keeps the one event that the store refuses in System->rejected and stores the others', async () => {
    const events = Array.from({ length: 21 }, (_, i) => ({
      message: i === 13 ? 'POISON' : `m${i}`,
      log: 'x',
    }))
    await place.append([
      { events: events.slice(0, 9), accountId: 1 },
      { events: events.slice(9), accountId: 2, idempotencyKey: 'k' },
    ])
    await place.storeAll({ refusedText: 'POISON' })
    const rejected = await logId(['System'], 'rejected')
    const dead = await place.rows(`log_id = ${rejected}`)
    expect(dead.map(({ raw, index, columns }) => ({ raw, index, columns }))).toEqual([
      {
        raw: JSON.stringify(events[13]),
        index: 13,
        columns: { reason: 'store_refused', account: 'account 2' },
      },
    ])
    expect(await messages(`log_id != ${rejected}`)).toEqual(
      events.filter((_, i) => i !== 13).map(({ message }) => message),
    )
    expect(await place.countDifferences()).toEqual([])
  })

  test('rejects an event at which the store fails again and again for reasons of its own', async () => {
    const events = ['a', 'POISON', 'b'].map((message) => ({ message }))
    await place.append([{ events }])
    await place.storeAll({ refusedText: 'POISON', refusedAs: 'store.failed', maxWaitMs: 10 })
    expect(await messages()).toEqual(['a', JSON.stringify(events[1]), 'b'])
  })

  test('halves a batch at once that the store has not the memory for', async () => {
    const events = Array.from({ length: 5000 }, (_, i) => ({ message: `large ${i}` }))
    await place.append([{ events }])
    const writer = await place.openWriter({ memoryBytes: 300_000 })
    await place.waitStored()
    await writer.close()
    expect((await messages()).sort()).toEqual(events.map(({ message }) => message).sort())
    // A whole one that is repeated is logged.
    expect(writer.logged.join()).not.toContain('batch not stored')
    expect(await writer.metrics.text()).toMatch(
      /logeye_writer_refused_batches_total\{[^}]*\} [1-9]/,
    )
    expect(await place.countDifferences()).toEqual([])
  })

  test('repeats a small batch that the store has no memory for, and rejects nothing soon', async () => {
    await place.append([{ events: [{ message: 'a' }, { message: 'b' }] }])
    const writer = await place.openWriter({ memoryBytes: 1 })
    await expect.poll(() => writer.logged.join(), SOON).toContain('batch not stored, trying again')
    await writer.close()
    expect(await messages()).toEqual([])
    await place.storeAll()
    expect(await messages()).toEqual(['a', 'b'])
  })

  test('takes up a halved batch where a kill left it', async () => {
    const events = Array.from({ length: 12 }, (_, i) => ({ message: i === 7 ? 'POISON' : `m${i}` }))
    await place.append([{ events, accountId: 1 }])
    for (const nth of [2, 4, 6]) {
      const crashed = await place.startWriter({
        refusedText: 'POISON',
        crash: { call: 'savePosition', when: 'after', nth },
      })
      expect(await crashed.ended).toBe('SIGKILL')
    }
    await place.storeAll({ refusedText: 'POISON' })
    const expected = events.map((event, i) => (i === 7 ? JSON.stringify(event) : event.message))
    expect((await messages()).sort()).toEqual(expected.sort())
    expect(await place.countDifferences()).toEqual([])
  })

  test('stops a partition whose event log is older than the store, and stores nothing twice', async () => {
    await place.append([{ events: [{ message: 'once' }] }])
    await place.storeAll()
    const later =
      'INSERT INTO counts (policy, quarter, log_id, events, upto) VALUES (1, 1767225600, 1, 1, 1000000000)'
    await place.engine.store.command({ sql: later })
    await place.append([{ events: [{ message: 'again' }] }])
    const writer = await place.openWriter()
    const phrase = 'partition stopped, the event log is older than the store'
    await expect.poll(() => writer.logged.join(), SOON).toContain(phrase)
    await expect
      .poll(() => readDamage(place.metastore.database.read), SOON)
      .toMatchObject([{ kind: 'stopped', partition: 0 }])
    await writer.close()
    expect(await messages()).toEqual(['once'])
    await place.clear()
    await place.storeAll()
    expect(await messages()).toEqual(['again'])
    expect(await readDamage(place.metastore.database.read)).toEqual([])
  })

  test('stops a partition whose event log has a number that the database does not know', async () => {
    await place.append([{ events: [{ message: 'once' }] }])
    await place.storeAll()
    const { next, metadata } = await place.eventLog.position(0)
    const number = 2 ** 41 + 7
    const text = JSON.stringify({ ...JSON.parse(metadata), number })
    await place.eventLog.savePosition(0, { next, metadata: text })
    await place.append([{ events: [{ message: 'again' }] }])
    const writer = await place.openWriter()
    const phrase = 'the database does not know the number of the event log'
    await expect.poll(() => writer.logged.join(), SOON).toContain(phrase)
    await writer.close()
    expect(await messages()).toEqual(['once'])
    await place.eventLog.savePosition(0, { next, metadata })
    await place.storeAll()
    expect(await messages()).toEqual(['once', 'again'])
  })

  test('keeps events of an account that the database does not know', async () => {
    await place.append([{ events: [{ message: 'whose' }], accountId: 99 }])
    await place.storeAll()
    const [row] = await place.rows()
    expect(row?.raw).toBe('{"message":"whose"}')
    expect(row?.columns).toEqual({ reason: 'unknown_account', account: '' })
  })

  test('drops a block that the event log holds twice, over a restart too', async () => {
    await place.append([{ events: [{ message: 'a' }] }], { listener: 'L', sequence: 1 })
    await place.append([{ events: [{ message: 'a' }] }], { listener: 'L', sequence: 1 })
    await place.append([{ events: [{ message: 'b' }] }], { listener: 'L', sequence: 2 })
    await place.append([{ events: [{ message: 'c' }] }], { listener: 'M', sequence: 1 })
    await place.storeAll()
    await place.append([{ events: [{ message: 'b' }] }], { listener: 'L', sequence: 2 })
    await place.append([{ events: [{ message: 'd' }] }], { listener: 'L', sequence: 3 })
    await place.storeAll()
    expect(await messages()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('stores a repeated request once for 24 h of receipt, over a restart too', async () => {
    const nowMs = testClock.nowMs() - 2 * DAY_MS
    const request = { events: [{ message: 'once' }], idempotencyKey: 'k' }
    await place.append([
      { ...request, receivedMs: nowMs },
      { ...request, receivedMs: nowMs + 1 },
    ])
    await place.append([{ ...request, receivedMs: nowMs + 2 }])
    await place.storeAll()
    await place.append([
      { ...request, receivedMs: nowMs + DAY_MS },
      { ...request, events: [{ message: 'other body' }], receivedMs: nowMs },
      { ...request, accountId: 2, events: [{ message: 'once' }], receivedMs: nowMs },
      { ...request, receivedMs: nowMs + DAY_MS + 1 },
    ])
    await place.storeAll()
    expect(await messages()).toEqual(['once', 'other body', 'once', 'once'])
  })

  test('knows a repeat over a restart when the time of day was set back by days, also from a time that was wrong', async () => {
    const rightMs = testClock.nowMs() - 5 * DAY_MS
    const request = (idempotencyKey: string, receivedMs: number) => ({
      events: [{ message: idempotencyKey }],
      idempotencyKey,
      receivedMs,
    })
    await place.append([request('before', rightMs)])
    await place.append([request('ahead', rightMs + 3 * DAY_MS)])
    await place.append([request('behind', rightMs + 1)])
    await place.storeAll()
    const writer = await place.openWriter()
    try {
      // The first with a key makes the writer load those that are there, which it asks the store
      // for until then.
      await place.append([request('loads', rightMs + 2)])
      await place.waitStored()
      const areLoaded = () => writer.said.join().includes('idempotency keys loaded')
      await waitUntil('the writer has loaded the keys', areLoaded, () => writer.said)
      const steps = Array.from({ length: 4 }, (_, day) =>
        request(`step ${day}`, rightMs + day * DAY_MS),
      )
      for (const step of steps) await place.append([step])
      await place.append(['before', 'ahead', 'behind'].map((key) => request(key, rightMs + 3)))
      await place.waitStored()
    } finally {
      await writer.close()
    }
    expect((await messages()).filter((message) => !/loads|step/.test(message))).toEqual([
      'before',
      'ahead',
      'behind',
    ])
  })

  test('knows the keys of a batch that it took up from a kill', async () => {
    const events = Array.from({ length: 2000 }, (_, i) => ({ message: `m${i}` }))
    const request = { events, idempotencyKey: 'k' }
    await place.append([request])
    const crash = { call: 'insert events', when: 'before', nth: 1 } as const
    const crashed = await place.startWriter({ crash })
    expect(await crashed.ended).toBe('SIGKILL')
    const writer = await place.openWriter()
    try {
      await place.waitStored()
      await place.append([request])
      await place.waitStored()
    } finally {
      await writer.close()
    }
    expect(await messages()).toHaveLength(2000)
  })

  test('sends events beyond the limit of new logs to the overflow log with their intended path', async () => {
    const limits = { newLogsPerHour: 3 }
    const nowMs = testClock.nowMs()
    const events = Array.from({ length: 5 }, (_, i) => ({ message: `m${i}`, log: `l${i}` }))
    const accountId = 3
    await place.append([{ events, accountId, receivedMs: nowMs }])
    await place.storeAll({ limits })
    const next = { message: 'next hour', log: 'l4' }
    await place.append([{ events: [next], accountId, receivedMs: nowMs + 3_600_000 }])
    await place.storeAll({ limits })
    const overflow = await logId(['Events'], 'account 3 overflow')
    const rows = await place.rows(`log_id = ${overflow}`)
    expect(
      rows.map(({ message, raw, columns }) => [message, raw, columns['intended path']]),
    ).toEqual([3, 4].map((i) => [`m${i}`, JSON.stringify(events[i]), `Events->l${i}`]))
    expect(await messages(`log_id = ${await logId(['Events'], 'l4')}`)).toEqual(['next hour'])
    expect(await place.countDifferences()).toEqual([])
  })

  test('makes no column of a name beyond the limit and loses no value', async () => {
    const wide = { message: 'wide', a: 1, b: 'two', c: 'three', d: 'aaaaaaaaaaaaaaaaaaaaaaaa' }
    await place.append([{ events: [{ message: 'first', a: 1, b: 'x' }] }])
    await place.append([{ events: [wide] }])
    await place.storeAll({ limits: { columnsPerLog: 3 } })
    const row = (await place.rows("message = 'wide'"))[0]
    expect(row?.columns).toEqual({ a: 1, b: 'two', c: 'three' })
    expect(row?.raw).toBe(JSON.stringify(wide))
    const records = await place.metastore.columns([row?.log_id ?? 0])
    expect(records.get(row?.log_id ?? 0)?.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'a number',
      'b text',
      'c text',
    ])
  })

  test('cuts an insert of more than 90 units', async () => {
    const nowMs = testClock.nowMs()
    const requests = Array.from({ length: 200 }, (_, day) => ({
      events: [{ message: `day ${day}` }],
      receivedMs: nowMs - day * DAY_MS,
    }))
    await place.append(requests)
    await place.storeAll()
    expect(await messages()).toEqual(requests.map((_, day) => `day ${day}`))
    expect(await place.countDifferences()).toEqual([])
  })

  test('waits, and says so, while the store cannot tell which keyed requests it has', async () => {
    const { store } = place.engine
    await place.append([{ events: [{ message: 'keyed' }], idempotencyKey: 'k' }])
    await store.command({ sql: 'RENAME TABLE idempotency TO away' })
    const writer = await place.openWriter()
    const isUp = async () => /logeye_writer_store_up\S* 1/.test(await writer.metrics.text())
    try {
      await expect
        .poll(async () => [writer.writer.readiness() === true, await isUp()], SOON)
        .toEqual([false, false])
      const tries = () =>
        writer.logged.filter((line) => line.includes('batch not built, trying again')).length
      await waitUntil('the writer has tried three times', () => tries() >= 3, tries)
      expect(await messages()).toEqual([])
    } finally {
      await store.command({ sql: 'RENAME TABLE away TO idempotency' })
    }
    await place.waitStored()
    expect([writer.writer.readiness() === true, await isUp()]).toEqual([true, true])
    await writer.close()
    expect(await messages()).toEqual(['keyed'])
  })

  test('says what became of every event it took', async () => {
    const request = { events: [{ message: 'a' }, { message: 'b' }], idempotencyKey: 'said' }
    const tail = 'not json'
    const rejections = [{ index: 2, code: 'invalid_json', start: 0, end: 4 }] as const
    await place.append([request, request, { events: [{ message: 'c' }], tail, rejections }])
    const text = await place.storeAll()
    const count = (outcome: string) =>
      text.match(new RegExp(`logeye_writer_events_total{outcome="${outcome}".*} (\\d+)`))?.[1]
    expect([count('stored'), count('repeated'), count('rejected')]).toEqual(['3', '2', '1'])
  })

  test('says of how many events the commit is unknown when it is stopped before the answer', async () => {
    await place.append([{ events: [{ message: 'a' }, { message: 'b' }] }])
    const crash = { call: 'savePosition', when: 'after', nth: 2 } as const
    const writer = await place.openWriter({ crash }, async () => {
      // Longer than the batch on its way gets.
      await writer.writer.stop()
      throw new Failure('event_log.unavailable')
    })
    await expect
      .poll(() => writer.metrics.text(), SOON)
      .toMatch(/logeye_writer_undecided_events_total\{[^}]*\} 2/)
    const text = await writer.metrics.text()
    await writer.close()
    expect(text).not.toContain('outcome="stored"')
    expect(await place.storeAll()).not.toContain('outcome="stored"')
    expect(await messages()).toEqual(['a', 'b'])
  })

  test('stops a partition with an alarm when the store contradicts its intent', async () => {
    const offset = await place.append([{ events: [{ message: 'a' }, { message: 'b' }] }])
    const crash = { call: 'insert events', when: 'after', nth: 1 } as const
    expect(await (await place.startWriter({ crash })).ended).toBe('SIGKILL')
    await place.engine.store.command({
      sql: "ALTER TABLE events DELETE WHERE message = 'b'",
      settings: { mutations_sync: 1 },
    })
    const writer = await place.openWriter()
    await expect
      .poll(() => writer.logged.join(), SOON)
      .toContain('the store contradicts the intent')
    expect(await place.eventLog.status(0)).toMatchObject({ next: offset })
    expect(await messages()).toEqual(['a'])
    expect(writer.writer.readiness()).toBe('a partition is stopped')
    await writer.close()
    // So that later tests go on: what the alarm asks of a person.
    await place.engine.store.command({ sql: 'TRUNCATE TABLE events' })
    await place.storeAll()
    expect(await messages()).toEqual(['a', 'b'])
  })

  // How soon is measured by `npm run bench`.
  test('makes each event searchable without another behind it', async () => {
    const writer = await place.openWriter()
    for (const message of ['first', 'second', 'third']) {
      await place.append([{ events: [{ message }] }])
      const isFound = async () => (await messages(`message = '${message}'`)).length > 0
      await waitUntil(`${message} is found`, isFound, messages)
    }
    await writer.close()
    expect(await messages()).toEqual(['first', 'second', 'third'])
  })
})
