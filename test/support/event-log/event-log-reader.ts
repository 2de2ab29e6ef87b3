// A process of its own that holds a read transaction of the embedded event log's first partition,
// without a turn of its event loop, until it is killed.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'

const [dataDir = ''] = process.argv.slice(2)
const partition = open({ path: join(dataDir, 'event-log', 'partition-0'), encoding: 'binary' })
const transaction = partition.useReadTransaction()
partition.get(0, { transaction })
writeSync(1, 'reading\n')
for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
