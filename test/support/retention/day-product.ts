// A product whose clock a test moves by days, with four policies of two logs each, and what its
// interfaces say of the events.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../infra/clock.ts'
import { addAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import { readUnits } from '../../../infra/store/read-units.ts'
import { openTestApp } from '../apps/query-app.ts'
import { openSearchPipeline } from '../apps/search-pipeline.ts'
import { type Envelope, makeConfigurationClient } from '../clients/configuration-client.ts'
import { testClock } from '../run/test-clock.ts'
import { findDamage } from '../store/find-damage.ts'
import type { EndPoint } from './end-point.ts'
import { DAY_MS, unitName } from './naive-days.ts'

export const POLICY_NAMES = ['days', 'size', 'plain', 'kept'] as const
export const LOGS_OF_POLICY = ['a', 'b'] as const
/** Where the listener makes logs. */
export const ROOT = 'Events'

type SentEvent = {
  readonly message: string
  readonly folder: string
  readonly log: string
  readonly user: string
  readonly n: number
  readonly time: string
}

export type ToldArchive = {
  readonly number: number
  readonly policy: string
  readonly day: number
  readonly state: string
  readonly events: number
  readonly hasLeft: boolean
  readonly fault: string
  readonly thaw: { readonly state: string; readonly events: number; readonly fault: string } | null
}

export type Flow = { readonly events: number; readonly bytes: number }

export type DayProduct = {
  nowMs: number
  /** For archives. */
  readonly folder: string
  sdk(command: string, given: Readonly<Record<string, string>>): Promise<Envelope>
  send(policy: string, events: readonly SentEvent[], receivedMs: number): Promise<void>
  /** False: it ended at the point. */
  retain(end?: EndPoint): Promise<boolean>
  /** What each day in the store takes; it does not change by itself until more is written. */
  bytesOfDays(): Promise<ReadonlyMap<string, number>>
  messages(query: string): Promise<string[]>
  count(query: string): Promise<number>
  /** Of `datastream`, by the name of the log and the day of the events. */
  flow(filter: string): Promise<ReadonlyMap<string, Flow>>
  archives(): Promise<readonly ToldArchive[]>
  /** What the ledger finds. */
  damage(): Promise<readonly unknown[]>
  /** Of the store. */
  kill9(): Promise<void>
  stop(): Promise<void>
}

export async function openDayProduct(startMs: number): Promise<DayProduct> {
  const time = { nowMs: startMs }
  const clock: Clock = { ...testClock, nowMs: () => time.nowMs }
  const pipeline = await openSearchPipeline({ clock, store: {} })
  const { engine, db, keyFile, readArrived } = pipeline
  const app = openTestApp(db, engine.store, { readArrived, keyFile, clock })
  const folder = mkdtempSync(join(tmpdir(), 'logeye-days-'))
  const client = makeConfigurationClient(app.call, { name: 'admin', password: db.adminPassword })
  const { signal } = new AbortController()
  const accounts = new Map<string, number>()
  const policyNames = new Map<number, string>()
  for (const name of POLICY_NAMES) {
    const made = await client.do('addCollectionPolicy', { name })
    const policyId = (made.response as { id: number }).id
    policyNames.set(policyId, name)
    const splitColumns = ['folder', 'log'].map((key) => ({ key, isHost: false }))
    const { account } = await db.database.write((transaction) =>
      addAccount(transaction, clock, name, { policyId, splitColumns }),
    )
    accounts.set(name, account.id)
  }
  const search = async (fields: Readonly<Record<string, string>>) => {
    const answer = await app.search({ fixedInterval: 'allData', ...fields })
    const text = await answer.text()
    if (answer.status !== 200 || text.includes('state="Fail"')) throw new Error(text)
    return text
  }
  const table = async (query: string) => {
    const text = await search({ searchQuery: query, resultFormat: 'json' })
    return text
      .split('\n')
      .filter(Boolean)
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
  }
  return {
    get nowMs() {
      return time.nowMs
    },
    set nowMs(ms) {
      time.nowMs = ms
    },
    folder,
    sdk: (command, given) => client.do(command, given),
    send: async (policy, events, receivedMs) => {
      await pipeline.ingest(events, { receivedMs, accountId: accounts.get(policy) ?? 0 })
    },
    retain: (end) => pipeline.retain(end),
    bytesOfDays: async () => {
      await engine.store.command({
        sql: 'OPTIMIZE TABLE events FINAL',
        settings: { optimize_skip_merged_partitions: 1 },
      })
      const units = await readUnits(engine.store, signal)
      return new Map(
        units.map(({ policyId, day, bytes }) => [
          unitName(policyNames.get(policyId) ?? `${policyId}`, day),
          bytes,
        ]),
      )
    },
    messages: async (query) => (await table(query)).map(({ message }) => String(message)).sort(),
    count: async (query) => Number((await table(`${query} | count`))[0]?.count),
    flow: async (filter) => {
      const rows = await table(`${filter} | datastream | interval 1 day | group by log`)
      return new Map(
        rows
          .filter(({ events }) => Number(events) > 0)
          .map(({ time, log, events, volume }) => [
            `${log} ${time}`,
            { events: Number(events), bytes: Number(volume) },
          ]),
      )
    },
    archives: async () => {
      const { response } = await client.do('listArchives', { top: '10000' })
      const { archives } = response as {
        archives: (Omit<ToldArchive, 'day' | 'hasLeft'> & {
          readonly day: string
          readonly droppedAt: string | null
        })[]
      }
      return archives.map(({ day, droppedAt, ...one }) => ({
        ...one,
        day: Date.parse(`${day}T00:00:00Z`) / DAY_MS,
        hasLeft: droppedAt !== null,
      }))
    },
    damage: () => findDamage(engine.store),
    kill9: async () => {
      await engine.kill9()
      await engine.restart()
    },
    stop: async () => {
      await app.app.stop()
      await pipeline.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
