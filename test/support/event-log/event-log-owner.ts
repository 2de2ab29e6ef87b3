// A process of its own that owns the partitions of a log, says so, and does not end by itself.
import { openEventLog } from '../../../infra/event-log/open.ts'
import { testClock } from '../run/test-clock.ts'

const [url = ''] = process.argv.slice(2)
const log = await openEventLog({ dataDir: '', url, maxBlockBytes: 16 << 20, clock: testClock })
await log.own(async (partition, { lost }) => {
  process.stdout.write(`${partition}\n`)
  await new Promise<void>((resolve) => lost.addEventListener('abort', () => resolve()))
}, new AbortController().signal)
