// Starts worker threads: from TypeScript sources in tests, from compiled files in the product.
import { type ResourceLimits, Worker } from 'node:worker_threads'

const IS_SOURCE = import.meta.url.endsWith('.ts')
/** A thread takes no loader from the command line (Node 20). */
const FROM_SOURCE = `const { loader, file } = require('node:worker_threads').workerData
import(loader).then(({ register }) => {
  register()
  return import(file)
})`

/** `module`: its file, without the ending. `given` is in `workerData` under this name. It keeps no
 *  process running. */
export function startThread(module: URL, limits: ResourceLimits, given?: unknown): Worker {
  const file = `${module.href}.${IS_SOURCE ? 'ts' : 'js'}`
  const thread = new Worker(IS_SOURCE ? FROM_SOURCE : new URL(file), {
    resourceLimits: limits,
    eval: IS_SOURCE,
    workerData: { loader: 'tsx/esm/api', file, given },
  })
  thread.unref()
  return thread
}
