// The role `writer`: event log -> store, and the ledger of what the store must hold.
import type { Config } from '../infra/config-schema.ts'
import { keepLogNumbers } from '../infra/metastore/ledger/log-numbers.ts'
import { clearDamage, nameDamage, readTotal } from '../infra/metastore/ledger/store-damage.ts'
import { isBeingRemoved } from '../infra/metastore/retention/unit-removals.ts'
import { prepareTables } from '../infra/store/prepare-tables.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { makeLedger } from '../ingest/ledger/start.ts'
import { openLocator } from '../ingest/writer/open-locator.ts'
import { startWriter } from '../ingest/writer/start.ts'
import { makeEventFilter } from '../query/language/event-filter.ts'
import { Failure } from '../schemas/failures.ts'
import { openBackups } from './backups.ts'
import type { EnginesWithLog } from './event-log.ts'

export function openWriterRole(
  context: RoleContext,
  config: Config,
  engines: EnginesWithLog,
): void {
  const { clock, logger, metrics, lifecycle, parts } = context
  const { store, metastore, eventLog } = engines
  const stopping = new AbortController()
  const { signal } = stopping
  let writer: ReturnType<typeof startWriter> | undefined
  const { database } = metastore
  const url = config.storeUrl?.reveal()
  const common = { store, eventLog, database, clock, logger, metrics }
  const ledger = makeLedger({ ...common, metastore, isOwnStore: url === undefined })
  parts.set('writer', () => {
    const readiness = writer?.readiness() ?? 'waits for the tables of the store'
    return readiness === true && !ledger.isReady() ? 'the store is not checked yet' : readiness
  })
  // Not awaited: the store may come later than this process.
  const prepare = async () => {
    await prepareTables({ ...common, url, signal })
    await ledger.repair(signal)
    if (!signal.aborted) await keepLogNumbers({ ...common, signal })
  }
  const started = prepare().then(() => {
    if (signal.aborted) return
    ledger.start()
    writer = startWriter({
      ...common,
      metastore,
      limits: config.writer,
      nameDamage: (damage) => nameDamage(database, damage),
      clearDamage: (id) => clearDamage(database, id),
      isBeingRemoved: (units) => isBeingRemoved(database.read, units),
      readTotal: (partition) => readTotal(database.read, partition),
      locate: openLocator(config.geoip.file, logger),
      makeDropFilter: makeEventFilter,
    })
  })
  lifecycle.add(
    'writer',
    async () => {
      stopping.abort()
      await started
      await Promise.all([writer?.stop(), ledger.stop()])
    },
    1000,
  )
  openBackups(context, config, engines, async (until) => {
    await started
    if (writer === undefined) throw new Failure('store.unavailable')
    return await writer.hold(until)
  })
}
