// A directory of log files, a log that reads them, and collectors over the real engines.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../infra/clock.ts'
import { Lease } from '../../../infra/database/lease.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { addLog } from '../../../infra/metastore/tree/log-changes.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { Collector, type MakeKeeps } from '../../../ingest/collect/collector.ts'
import { makeCollectTelemetry } from '../../../ingest/collect/telemetry.ts'
import { makeMaskHash } from '../../../ingest/listener/masking/mask-hash.ts'
import { Masks } from '../../../ingest/listener/masking/mask-request.ts'
import type { LogDefinition } from '../../../schemas/log-definition.ts'
import { silentLogger } from '../database/query-database.ts'
import { openWriterPlace, type StoredRow, type WriterPlace } from '../writer/writer-place.ts'

const PROCESS = fileURLToPath(new URL('./collector-process.ts', import.meta.url))

export type RunningCollector = {
  readonly telemetry: ReturnType<typeof makeCollectTelemetry>
  stop(): Promise<void>
}

export type CollectPlace = {
  readonly place: WriterPlace
  /** Of the log files. */
  readonly files: string
  addLog(name: string, definition: Partial<LogDefinition>): Promise<number>
  collect(options?: {
    eventLog?: Pick<EventLog, 'append' | 'partitions' | 'maxBlockBytes'>
    makeKeeps?: MakeKeeps
  }): Promise<RunningCollector>
  /** In a process of its own, which may end itself at a point. */
  fork(point?: string, at?: number, account?: string): ChildProcess
  /** Stores what was collected; rows of the log in their order. */
  rows(logId: number): Promise<readonly StoredRow[]>
  close(): Promise<void>
}

export async function openCollectPlace(): Promise<CollectPlace> {
  const place = await openWriterPlace()
  const files = mkdtempSync(join(tmpdir(), 'logeye-test-collect-'))
  const { metastore } = place
  const children = new Set<ChildProcess>()
  let leases = 0
  return {
    place,
    files,
    addLog: async (name, definition) => {
      const { id } = await metastore.database.write((transaction) =>
        addLog(transaction, systemClock, { parent: [], name }, { definition }),
      )
      await metastore.refresh()
      return id
    },
    collect: async ({ eventLog = place.eventLog, makeKeeps = () => undefined } = {}) => {
      leases += 1
      const lease = { database: metastore.database, clock: systemClock, name: `collect ${leases}` }
      const held = await new Lease(lease).tryTake()
      if (held === undefined) throw new Error('the lease is not free')
      const stopping = new AbortController()
      const metrics = openMetrics('test')
      const telemetry = makeCollectTelemetry({ metrics, logger: silentLogger })
      const ended = new Collector({
        ...{ metastore, eventLog, clock: systemClock, logger: silentLogger, hostName: 'web-01' },
        ...{ held: { ...held, signal: stopping.signal }, makeKeeps, telemetry },
        masks: new Masks(makeMaskHash(Buffer.from('a key of tests'))),
        closed: [place.dataDir],
      }).run()
      return {
        telemetry,
        stop: async () => {
          stopping.abort()
          await ended
        },
      }
    },
    fork: (point = '', at = 0, account = '') => {
      leases += 1
      const who = [place.dataDir, place.databaseUrl ?? '', `collect ${leases}`]
      const given = [...who, point, String(at), account]
      const child = fork(PROCESS, given, { execArgv: ['--import', 'tsx'], stdio: 'inherit' })
      children.add(child)
      return child
    },
    rows: async (logId) => {
      await place.storeAll()
      return await place.rows(`log_id = ${logId}`)
    },
    close: async () => {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const exit = once(child, 'exit')
        child.kill('SIGKILL')
        await exit
      }
      await place.close()
      rmSync(files, { recursive: true, force: true })
    },
  }
}
