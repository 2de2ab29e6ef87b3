// Copies the audit log in a process of its own on the real engines, and ends itself by SIGKILL at
// the point that a test asks for.
import { Lease } from '../../../infra/database/lease.ts'
import { openDatabase } from '../../../infra/database/open.ts'
import type { Database } from '../../../infra/database/port.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { openMetastore } from '../../../infra/metastore/open.ts'
import { makeAuditCopy } from '../../../ingest/audit/copy-audit.ts'
import { testClock } from '../run/test-clock.ts'
import { makeFailingStore } from '../store/failing-store.ts'

export type CopyPoint = 'begun' | 'appended' | 'before the end' | 'ended'

const [dataDir = '', databaseUrl = '', leaseName = '', point = ''] = process.argv.slice(2)
const clock = testClock
const logger = makeLogger({ level: 'error', process: 'test', clock })
const opened = await openDatabase({
  dataDir,
  url: databaseUrl === '' ? undefined : databaseUrl,
})
const eventLog = await openEventLog({ dataDir, maxBytes: 256 << 20, maxBlockBytes: 3 << 20, clock })
const metastore = await openMetastore({ database: opened, logger })
const held = await new Lease({ database: opened, clock, name: leaseName }).tryTake()
if (held === undefined) throw new Error('the lease is not free')

function reach(reached: CopyPoint): void {
  if (reached === point) process.kill(process.pid, 'SIGKILL')
}

let isAppended = false
const database: Database = {
  read: opened.read,
  snapshot: (work) => opened.snapshot(work),
  close: () => opened.close(),
  write: async (work) => {
    if (isAppended) reach('before the end')
    const done = await opened.write(work)
    reach(isAppended ? 'ended' : 'begun')
    return done
  },
}
const job = makeAuditCopy(
  {
    append: async (partition, bytes) => {
      const offset = await eventLog.append(partition, bytes)
      isAppended = true
      reach('appended')
      return offset
    },
  },
  clock,
)
const { signal } = new AbortController()
const store = makeFailingStore(() => [])
await job.run({ database, metastore, store, clock, logger, held, signal })
await eventLog.close()
process.exit(0)
