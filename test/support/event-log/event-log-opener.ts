// A process of its own that opens and closes an embedded event log until it is killed.
import { systemClock } from '../../../infra/clock.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'

const [, , dataDir = ''] = process.argv
for (;;) {
  const log = await openEventLog({
    dataDir,
    maxBytes: 256 << 20,
    maxBlockBytes: 16 << 20,
    clock: systemClock,
  })
  await log.close()
}
