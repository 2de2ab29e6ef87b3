// Another Logeye to copy logs from: its query app at a port of its own, over a real store that its
// writer fills.
import { chooseHttpEngine } from '../../../infra/http/engine.ts'
import type { HttpServer } from '../../../infra/http/port.ts'
import { openTestApp } from '../apps/query-app.ts'
import { openSearchPipeline, type SearchPipeline } from '../apps/search-pipeline.ts'
import { silentLogger } from '../database/query-database.ts'
import { makeFileClock } from './collect-clock.ts'

export type OtherLogeye = {
  readonly pipeline: SearchPipeline
  readonly port: number
  /** As another one at the same address: its marks are others. */
  becomeAnother(): Promise<void>
  stop(): Promise<void>
}

export async function openOtherLogeye(): Promise<OtherLogeye> {
  // Beside the store that the worker shares, which is that of the copies.
  const clock = makeFileClock()
  const pipeline = await openSearchPipeline({ clock, store: {} })
  const openApp = (key: number) =>
    openTestApp(pipeline.db, pipeline.engine.store, {
      ...{ clock, readArrived: pipeline.readArrived },
      placeKey: Buffer.alloc(32, key),
    }).app
  let app = openApp(7)
  const { open } = await chooseHttpEngine({ engine: 'node', frontProcesses: 1 })
  const server: HttpServer = await open({
    ...{ address: '127.0.0.1', port: 0, trustedProxies: [], sharePort: false, rawRoutes: [] },
    fetch: (request, client) => app.fetch(request, client),
    logger: silentLogger,
  })
  return {
    pipeline,
    port: server.port,
    becomeAnother: async () => {
      const before = app
      app = openApp(8)
      await before.stop()
    },
    stop: async () => {
      await app.stop()
      await server.stop(0)
      await pipeline.stop()
    },
  }
}
