// Private keys of SSH accounts, read in a thread: one key at a time, and none for longer than it
// may take, for the text says how much work it is.
import { once } from 'node:events'
import { joinSignals } from '../join-signals.ts'
import { startThread } from '../start-thread.ts'
import type { ReadKey } from './private-key-thread.ts'

const READ_MS = 10_000
const MOST_WAITING = 64
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }
const THREAD = new URL('./private-key-thread', import.meta.url)

let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** `fault` says why the key cannot be used, as what follows its name. Rejects with the reason of
 *  the signal. */
export async function readPrivateKey(
  text: string,
  passphrase: string | undefined,
  signal?: AbortSignal,
): Promise<ReadKey> {
  if (waiting >= MOST_WAITING) return { fault: 'is one of too many that are read now: try again' }
  waiting += 1
  const before = last
  const read = before.then(() => readInThread(text, passphrase, signal))
  last = read.catch(() => undefined)
  try {
    return await read
  } finally {
    waiting -= 1
  }
}

async function readInThread(
  text: string,
  passphrase: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadKey> {
  signal?.throwIfAborted()
  const limit = AbortSignal.timeout(READ_MS)
  const joined = joinSignals(signal === undefined ? [limit] : [limit, signal])
  const thread = startThread(THREAD, MEMORY, { text, passphrase })
  try {
    const [answer]: ReadKey[] = await once(thread, 'message', { signal: joined.signal })
    return answer ?? { fault: 'cannot be read' }
  } catch {
    signal?.throwIfAborted()
    return { fault: limit.aborted ? SLOW : 'cannot be read' }
  } finally {
    joined.leave()
    void thread.terminate()
  }
}

const SLOW = `takes longer than ${READ_MS / 1000} s to open: make it again with fewer rounds (ssh-keygen -p -a 16)`
