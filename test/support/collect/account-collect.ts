// Logs that are read by an account of the address book, over the real engines: the account with its
// secrets, and what the role collector does for it.
import { join } from 'node:path'
import { Lease } from '../../../infra/database/lease.ts'
import type { PathRules } from '../../../infra/files/path-rules.ts'
import {
  addBookAccount,
  changeBookAccount,
  findBookAccount,
  type Secrets,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { HostSessions } from '../../../infra/outbound/host-sessions.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { Collector } from '../../../ingest/collect/collector.ts'
import { collectByAccounts } from '../../../ingest/collect/sources/collect-by-accounts.ts'
import { runTasks } from '../../../ingest/collect/tasks/run-tasks.ts'
import { makeCollectTelemetry } from '../../../ingest/collect/telemetry.ts'
import { makeMaskHash } from '../../../ingest/listener/masking/mask-hash.ts'
import { Masks } from '../../../ingest/listener/masking/mask-request.ts'
import { readSyncConfiguration } from '../../../query/sdk/tasks/read-sync-configuration.ts'
import type { BookAccountSettings } from '../../../schemas/address-book.ts'
import { silentLogger } from '../database/query-database.ts'
import type { CollectPlace, RunningCollector } from './collect-place.ts'
import { OPEN_PATHS } from './open-paths.ts'

export const keysOf = ({ place, clock }: CollectPlace) =>
  new SecretKeys(join(place.dataDir, 'secrets.key'), clock)

export async function addAccount(
  collect: CollectPlace,
  account: Parameters<typeof addBookAccount>[2] & { readonly secrets: Secrets },
): Promise<void> {
  const { database } = collect.place.metastore
  const keys = keysOf(collect)
  const sealing = { clock: collect.clock, keys, key: await keys.current(database.read) }
  await database.write((transaction) => addBookAccount(transaction, sealing, account))
}

export async function changeAccount(
  collect: CollectPlace,
  name: string,
  settings: BookAccountSettings,
): Promise<void> {
  const { database } = collect.place.metastore
  const before = await findBookAccount(database.read, name)
  if (before === undefined) throw new Error(`there is no account ${name}`)
  const sealing = { clock: collect.clock, keys: keysOf(collect), key: undefined }
  await database.write((transaction) =>
    changeBookAccount(transaction, sealing, before, { settings }),
  )
}

let leases = 0

export async function collectByBook(collect: CollectPlace): Promise<RunningCollector> {
  const { metastore, eventLog } = collect.place
  const { held, stopping } = await takeLease(collect)
  const telemetry = makeCollectTelemetry({ metrics: openMetrics('test'), logger: silentLogger })
  const ended = collectByAccounts({
    ...{ metastore, eventLog, clock: collect.clock, logger: silentLogger, hostName: 'web-01' },
    ...{ held, makeKeeps: () => undefined, telemetry },
    ...{ paths: OPEN_PATHS, secretKeys: keysOf(collect), sessions: new HostSessions() },
    masks: new Masks(makeMaskHash(Buffer.from('a key of tests'))),
  })
  return {
    telemetry,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/**
 * As the role, under a lease that it keeps: files of this machine, those of accounts, and tasks.
 * Files of this machine are read from the end of `collecting`.
 */
export async function startWhole(
  collect: CollectPlace,
  collecting = Promise.resolve(),
  rules: Partial<PathRules> = {},
): Promise<{ stop(): Promise<void> }> {
  const { metastore, eventLog, dataDir } = collect.place
  const telemetry = makeCollectTelemetry({ metrics: openMetrics('test'), logger: silentLogger })
  const { held, stopping } = await takeLease(collect)
  const deps = {
    ...{ metastore, eventLog, telemetry, held, clock: collect.clock, logger: silentLogger },
    ...{ hostName: 'web-01', makeKeeps: () => undefined },
    paths: { ...OPEN_PATHS, closed: [dataDir], ...rules },
    ...{ progress: telemetry.progress, secretKeys: keysOf(collect), sessions: new HostSessions() },
    readSync: readSyncConfiguration,
    masks: new Masks(makeMaskHash(Buffer.from('a key of tests'))),
  }
  const collector = collecting.then(() => new Collector(deps).run())
  const ended = Promise.all([collector, collectByAccounts(deps), runTasks(deps)])
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

async function takeLease({ place, clock }: CollectPlace) {
  leases += 1
  const lease = { database: place.metastore.database, clock, name: `book ${leases}` }
  const held = await new Lease(lease).tryTake()
  if (held === undefined) throw new Error('the lease is not free')
  const stopping = new AbortController()
  return { held: { ...held, signal: stopping.signal }, stopping }
}
