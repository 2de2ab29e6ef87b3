// A process of its own that owns the partitions of a log, says so, and does not end by itself.
import { systemClock } from '../../../infra/clock.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'

const [url = ''] = process.argv.slice(2)
const log = await openEventLog({ dataDir: '', url, maxBlockBytes: 16 << 20, clock: systemClock })
await log.own(async (partition, { lost }) => {
  process.stdout.write(`${partition}\n`)
  await new Promise<void>((resolve) => lost.addEventListener('abort', () => resolve()))
}, new AbortController().signal)
