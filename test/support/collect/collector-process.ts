// Collects in a process of its own on the real engines, and ends itself by SIGKILL where a test
// asks for it: before or after the append, or before the note, with the given number.

import { join } from 'node:path'
import { systemClock } from '../../../infra/clock.ts'
import { Lease } from '../../../infra/database/lease.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { HostSessions } from '../../../infra/outbound/host-sessions.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { Collector } from '../../../ingest/collect/collector.ts'
import { copyByAccount } from '../../../ingest/collect/copies/copy-account.ts'
import { openRemoteLogeye, openSource } from '../../../ingest/collect/sources/open-source.ts'
import { runTasks } from '../../../ingest/collect/tasks/run-tasks.ts'
import { makeCollectTelemetry } from '../../../ingest/collect/telemetry.ts'
import { makeMaskHash } from '../../../ingest/listener/masking/mask-hash.ts'
import { Masks } from '../../../ingest/listener/masking/mask-request.ts'
import { OPEN_PATHS } from './open-paths.ts'

const [dataDir = '', databaseUrl = '', leaseName = '', point = '', at = '0', account = ''] =
  process.argv.slice(2)
/** As files have it. */
const clock = systemClock
const logger = makeLogger({ level: 'error', process: 'test', clock })
const database = await openDatabase({
  dataDir,
  url: databaseUrl === '' ? undefined : databaseUrl,
})
const eventLog = await openEventLog({
  dataDir,
  maxBytes: 256 << 20,
  maxBlockBytes: 16 << 20,
  clock,
})
const lease = new Lease({ database, clock, name: leaseName })
const held = await lease.tryTake()
if (held === undefined) throw new Error('the lease is not free')
const counts = new Map<string, number>()

function reach(reached: string): void {
  const count = (counts.get(reached) ?? 0) + 1
  counts.set(reached, count)
  if (reached === point && count === Number(at)) process.kill(process.pid, 'SIGKILL')
}

const metastore = await openMetastore({
  logger,
  database: {
    read: database.read,
    snapshot: (work) => database.snapshot(work),
    close: () => database.close(),
    write: async (work) => {
      reach('note')
      return await database.write(work)
    },
  },
})
const { signal } = new AbortController()
const secretKeys = new SecretKeys(join(dataDir, 'secrets.key'), clock)
/** In place of an account. */
const ALL_TASKS = 'all tasks'
const sourceDeps = { metastore, clock, secretKeys, sessions: new HostSessions() }
const isOther = account === '' || account === ALL_TASKS
const copied = isOther ? undefined : await openRemoteLogeye(account, sourceDeps)
const opened = isOther || copied !== undefined ? undefined : await openSource(account, sourceDeps)
const deps = {
  ...{
    metastore,
    clock,
    logger,
    hostName: 'web-01',
    makeKeeps: () => undefined,
    paths: OPEN_PATHS,
  },
  held: { ...held, signal },
  masks: new Masks(makeMaskHash(Buffer.from('a key of tests'))),
  telemetry: makeCollectTelemetry({ metrics: openMetrics('test'), logger }),
  eventLog: {
    partitions: eventLog.partitions,
    maxBlockBytes: eventLog.maxBlockBytes,
    append: async (partition: number, bytes: Uint8Array) => {
      reach('append')
      const offset = await eventLog.append(partition, bytes)
      reach('appended')
      return offset
    },
  },
}
if (account === ALL_TASKS)
  await runTasks({
    ...{ ...deps, ...sourceDeps, progress: () => [] },
    readSync: () => ({ fault: 'not here' }),
  })
else if (copied !== undefined) await copyByAccount({ ...deps, account, remote: copied.remote })
else
  await new Collector({
    ...deps,
    ...(opened === undefined ? {} : { account, source: opened.source }),
  }).run()
