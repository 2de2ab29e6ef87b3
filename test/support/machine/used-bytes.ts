// What the heap holds when everything that nobody needs any more is gone.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Some things are let go of in a later turn only. */
export async function usedBytes(): Promise<number> {
  for (let turn = 0; turn < 10; turn += 1) {
    await setImmediate()
    collect()
  }
  return process.memoryUsage().heapUsed
}
