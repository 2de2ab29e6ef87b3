// A process of its own that reads the first block of a log for ever, without a turn of its event
// loop: it holds what the log was at its first read, until it is killed.
import { writeSync } from 'node:fs'
import { systemClock } from '../../../infra/clock.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'

const [dataDir = ''] = process.argv.slice(2)
const sizes = { maxBytes: 512 << 20, maxBlockBytes: 16 << 20 }
const log = await openEventLog({ dataDir, ...sizes, clock: systemClock })
for (let count = 0; ; count += 1) {
  await log.read(0, 0, { maxBytes: 1, waitMs: 0 })
  if (count === 0) writeSync(1, 'reading\n')
}
