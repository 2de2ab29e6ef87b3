// Retention, archive, thaw, deletion and holds in any order, with a clock that moves by days and
// jobs that end anywhere, against a naive model: what a search finds is what should be there, once.
// LOGEYE_TEST_ARCHIVE_ROUNDS=400 by hand. LOGEYE_TEST_ARCHIVE_SEED=random takes
// another order.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readArchives } from '../../../infra/metastore/archive/archives.ts'
import { askForThaw } from '../../../infra/metastore/archive/thaws.ts'
import { addHold, removeHold } from '../../../infra/metastore/retention/change-holds.ts'
import { addDeletion } from '../../../infra/metastore/retention/deletions.ts'
import { readHiddenEvents } from '../../../infra/metastore/retention/hidden-events.ts'
import { readHolds } from '../../../infra/metastore/retention/legal-holds.ts'
import type { JobContext } from '../../../infra/scheduler/job.ts'
import { hideDeleted } from '../../../infra/store/hide-deleted.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import type { EndPoint } from '../../support/retention/end-point.ts'
import {
  DAY_MS,
  NOW_MS,
  openRetentionPlaceOn,
  type RetentionPlace,
} from '../../support/retention/retention-place.ts'
import { readSeed } from '../../support/run/seed.ts'
import { series } from '../../support/run/tier.ts'
import { type EmbeddedStore, startEmbeddedStore } from '../../support/store/embedded-store.ts'

const ROUNDS = Number(process.env.LOGEYE_TEST_ARCHIVE_ROUNDS ?? series(5, 20))
const KEPT_DAYS = 5
const TODAY = Math.floor(NOW_MS / DAY_MS)

let place: RetentionPlace<EmbeddedStore>
beforeAll(async () => {
  place = await openRetentionPlaceOn(startEmbeddedStore)
})
afterAll(() => place?.close())

const database = () => place.metastore.database

test(
  'what is found is what the model says, whatever ends a job',
  async () => {
    const seed = readSeed('LOGEYE_TEST_ARCHIVE_SEED', 7)
    const random = makeRandom(seed)
    const model = new Model()
    await place.setPolicy(1, { storageDays: KEPT_DAYS, archiveDirectory: place.folder })
    for (let round = 0; round < ROUNDS; round += 1) {
      await act(random, model)
      const nowMs = NOW_MS + model.shift * DAY_MS
      if (random.below(2) === 0) {
        const before = model.visible(nowMs)
        await place.run(retain, { nowMs, end: endPoint(random) })
        // In between: nothing twice, nothing that is deleted, nothing that never was.
        const seen = await found()
        expect(new Set(seen).size, `seed ${seed} round ${round}`).toBe(seen.length)
        expect(seen.filter((one) => model.isDeleted(one))).toEqual([])
        const recent = before.filter((one) => model.isRecent(one))
        expect(recent.filter((one) => !seen.includes(one))).toEqual([])
        if (random.below(4) === 0) {
          await place.engine.kill9()
          await place.engine.restart()
        }
      }
      // Twice: what a run begins with may give the next one work.
      await place.run(retain, { nowMs: nowMs + 1 })
      await place.run(retain, { nowMs: nowMs + 2 })
      model.retained(await readArchives(database().read), nowMs)
      expect(await found(), `seed ${seed} round ${round}`).toEqual(model.visible(nowMs))
      expect(await place.damage(), `seed ${seed} round ${round}`).toEqual([])
    }
    expect(model.did.size).toBeGreaterThan(2)
  },
  ROUNDS * 60_000,
)

const retain = (context: JobContext) => place.retain(context)

type Random = ReturnType<typeof makeRandom>

function endPoint(random: Random): EndPoint {
  return {
    call: random.below(2) === 0 ? 'write' : 'command',
    when: random.below(2) === 0 ? 'before' : 'after',
    nth: 1 + random.below(12),
  }
}

async function act(random: Random, model: Model): Promise<void> {
  const kind = model.events.size === 0 ? 0 : random.below(10)
  model.did.add(kind)
  const nowMs = NOW_MS + model.shift * DAY_MS
  if (kind <= 3) {
    const age = kind === 0 ? 0 : random.below(30)
    const names = Array.from({ length: 1 + random.below(20) }, () => model.add(age))
    await place.send(age - model.shift, names)
    await place.storeAll()
  } else if (kind <= 5) {
    model.shift += 1 + random.below(4)
    // A clock alone moves nothing.
    await place.send(-model.shift, [model.add(0)])
    await place.storeAll()
  } else if (kind <= 7) {
    const dropped = [...model.archived.keys()]
    const archive = dropped[random.below(Math.max(1, dropped.length))]
    if (archive === undefined) return
    const untilMs = nowMs + (random.below(4) - 1) * DAY_MS
    await database().write((transaction) =>
      askForThaw(transaction, { archive, untilMs, askedBy: 'ann', askedMs: nowMs }),
    )
    model.thawed.set(archive, untilMs)
  } else if (kind === 8) {
    if ((await readHolds(database().read)).length > 0) return
    const all = [...model.events.keys()]
    const name = all[random.below(all.length)] ?? ''
    const [row] = await place.engine.store.query<{ id: number }>({
      sql: 'SELECT min(log_id) AS id FROM events WHERE policy = 1',
    })
    const logId = Number(row?.id)
    const condition = `log_id = ${logId} AND message = '${name}'`
    const asked = { events: 0, bytes: 0, askedBy: 'ann', askedMs: nowMs }
    await database().write((transaction) =>
      addDeletion(transaction, { logId, log: 'a', condition, ...asked }, 'ab'),
    )
    model.deleted.add(name)
  } else {
    const [hold] = await readHolds(database().read)
    await database().write(async (transaction) => {
      if (hold !== undefined) return void (await removeHold(transaction, hold.number))
      const held = { fromMs: undefined, toMs: undefined, reason: 'r', madeBy: 'ann', nowMs }
      await addHold(transaction, { target: { kind: 'policy', name: 'Default' }, ...held })
    })
    model.isHeld = hold === undefined
  }
}

class Model {
  /** Day of receipt by message. */
  readonly events = new Map<string, number>()
  readonly deleted = new Set<string>()
  readonly gone = new Set<string>()
  readonly archived = new Map<number, readonly string[]>()
  readonly thawed = new Map<number, number>()
  readonly did = new Set<number>()
  /** Days that the clock has moved. */
  shift = 0
  isHeld = false

  add(age: number): string {
    const name = `event ${this.events.size}`
    this.events.set(name, TODAY + this.shift - age)
    return name
  }

  isDeleted(name: string): boolean {
    return this.deleted.has(name)
  }

  isRecent(name: string): boolean {
    const today = Math.min(TODAY + this.shift, Math.max(...this.events.values()) + 1)
    return (this.events.get(name) ?? 0) >= today - KEPT_DAYS
  }

  retained(
    archives: readonly { number: number; day: number; state: string }[],
    nowMs: number,
  ): void {
    for (const [archive, untilMs] of this.thawed) if (untilMs <= nowMs) this.thawed.delete(archive)
    if (this.isHeld) return
    const going = [...this.events].filter(([name]) => !this.gone.has(name) && !this.isRecent(name))
    for (const day of new Set(going.map(([, at]) => at))) {
      const names = going.filter(([, at]) => at === day).map(([name]) => name)
      for (const name of names) this.gone.add(name)
      const [archive] = archives.filter((one) => one.day === day && one.state === 'done')
      if (archive !== undefined && !this.archived.has(archive.number))
        this.archived.set(archive.number, names)
    }
  }

  visible(nowMs: number): string[] {
    const back = [...this.archived]
      .filter(([archive]) => (this.thawed.get(archive) ?? 0) > nowMs)
      .flatMap(([, names]) => names)
    const there = [...this.events.keys()].filter((name) => !this.gone.has(name))
    return [...there, ...back].filter((name) => !this.deleted.has(name)).sort()
  }
}

async function found(): Promise<string[]> {
  const store = hideDeleted(place.engine.store, () => readHiddenEvents(database().read))
  const rows = await store.query<{ message: string }>({ sql: 'SELECT message FROM events' })
  return rows.map(({ message }) => message).sort()
}
