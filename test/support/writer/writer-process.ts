// A writer in a process of its own on the real engines, which ends itself by SIGKILL at the point
// that a test asks for.
import { once } from 'node:events'
import { type CrashPoint, openTestWriter, type TestWriterOptions } from './test-writer.ts'

const options: TestWriterOptions = JSON.parse(process.argv[2] ?? '{}')

async function crashNow(crash: CrashPoint): Promise<void> {
  if (crash.isHeld !== true) process.kill(process.pid, 'SIGKILL')
  process.send?.('held')
  await once(process, 'message')
}

const writer = await openTestWriter(options, crashNow, () => void process.send?.('passed'))
process.once('SIGTERM', () => void writer.close().then(() => process.exit(0)))
process.send?.('started')
