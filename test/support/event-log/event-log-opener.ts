// A process of its own that opens and closes an embedded event log until it is killed.
import { openEventLog } from '../../../infra/event-log/open.ts'
import { testClock } from '../run/test-clock.ts'

const [, , dataDir = ''] = process.argv
for (;;) {
  const log = await openEventLog({
    dataDir,
    maxBytes: 256 << 20,
    maxBlockBytes: 16 << 20,
    clock: testClock,
  })
  await log.close()
}
