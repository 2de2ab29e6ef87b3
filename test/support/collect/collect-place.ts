// A directory of log files, a log that reads them, and collectors over the real engines.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
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
import { waitUntil } from '../run/wait-until.ts'
import type { TestWriter } from '../writer/test-writer.ts'
import { openWriterPlace, type StoredRow, type WriterPlace } from '../writer/writer-place.ts'
import { type CollectClock, makeCollectClock } from './collect-clock.ts'
import { OPEN_PATHS } from './open-paths.ts'

const PROCESS = fileURLToPath(new URL('./collector-process.ts', import.meta.url))

export type RunningCollector = {
  readonly telemetry: ReturnType<typeof makeCollectTelemetry>
  stop(): Promise<void>
}

export type CollectPlace = {
  readonly place: WriterPlace
  /** Of the collectors in this process; only the waits below move it. */
  readonly clock: CollectClock
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
  /** The same of several logs. */
  rowsOf(logIds: readonly number[]): Promise<readonly StoredRow[]>
  messages(logId: number): Promise<readonly string[]>
  /** As `waitUntil`, and time passes for the collectors. */
  until: typeof waitUntil
  /** Waits until `read` gives `wanted`, and expects it. */
  untilEqual<T>(read: () => T | Promise<T>, wanted: T): Promise<void>
  close(): Promise<void>
}

export async function openCollectPlace(): Promise<CollectPlace> {
  const place = await openWriterPlace()
  const files = mkdtempSync(join(tmpdir(), 'logeye-test-collect-'))
  const clock = makeCollectClock(files)
  const { metastore } = place
  const children = new Set<ChildProcess>()
  let leases = 0
  let writer: Promise<TestWriter> | undefined
  const rowsOf = async (logIds: readonly number[]) => {
    writer ??= place.openWriter()
    await writer
    await place.waitStored()
    return await place.rows(`log_id IN (${logIds.join(', ')})`)
  }
  const rows = (logId: number) => rowsOf([logId])
  const until: typeof waitUntil = (state, read, saw) =>
    waitUntil(
      state,
      () => {
        clock.pass()
        return read()
      },
      saw,
    )
  return {
    ...{ place, clock, files, rows, rowsOf, until },
    addLog: async (name, definition) => {
      const { id } = await metastore.database.write((transaction) =>
        addLog(transaction, clock, { parent: [], name }, { definition }),
      )
      await metastore.refresh()
      return id
    },
    collect: async ({ eventLog = place.eventLog, makeKeeps = () => undefined } = {}) => {
      leases += 1
      const lease = { database: metastore.database, clock, name: `collect ${leases}` }
      const held = await new Lease(lease).tryTake()
      if (held === undefined) throw new Error('the lease is not free')
      const stopping = new AbortController()
      const metrics = openMetrics('test')
      const telemetry = makeCollectTelemetry({ metrics, logger: silentLogger })
      const ended = new Collector({
        ...{ metastore, eventLog, clock, logger: silentLogger, hostName: 'web-01' },
        ...{ held: { ...held, signal: stopping.signal }, makeKeeps, telemetry },
        masks: new Masks(makeMaskHash(Buffer.from('a key of tests'))),
        paths: { ...OPEN_PATHS, closed: [place.dataDir] },
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
    messages: async (logId) => (await rows(logId)).map(({ message }) => message),
    untilEqual: async (read, wanted) => {
      let last: unknown
      const isEqual = async () => {
        last = await read()
        return isDeepStrictEqual(last, wanted)
      }
      await until('it is what the test expects', isEqual, () => last)
      expect(last).toEqual(wanted)
    },
    close: async () => {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const exit = once(child, 'exit')
        child.kill('SIGKILL')
        await exit
      }
      await (await writer)?.close()
      await place.close()
      rmSync(files, { recursive: true, force: true })
    },
  }
}
