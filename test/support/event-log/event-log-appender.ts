// A process of its own that appends numbered blocks and prints each offset after its
// acknowledgement, until it is killed.
import { openEventLog } from '../../../infra/event-log/open.ts'
import { testClock } from '../run/test-clock.ts'

/** A folder, or the address of a distributed log. */
const [place = '', name = '', size = '1000'] = process.argv.slice(2)
const log = await openEventLog({
  dataDir: place,
  url: place.includes('://') ? place : undefined,
  maxBytes: 256 << 20,
  maxBlockBytes: 16 << 20,
  clock: testClock,
})
for (let number = 0; number < 1_000_000; number += 1) {
  const bytes = Buffer.alloc(Number(size), `${name}:${number}:`)
  process.stdout.write(`${number} ${await log.append(0, bytes)}\n`)
}
