// Which HTTP engine serves: uWebSockets.js where it has a binary for this Node and platform,
// node:http elsewhere; or the one that is set.
import { Failure } from '../../schemas/failures.ts'
import type { HttpServer, HttpServerOptions } from './port.ts'

/** Measured by `npm run bench`, which runs both (docs/reference/performance.md). */
const COST =
  'a single event costs the front process half as much CPU again, a batch a quarter; Node 22 has the faster one'

export type EngineName = 'uws' | 'node'

export type HttpEngine = {
  readonly name: EngineName
  /** Nobody chose it: the quick one has no binary here. */
  readonly isFallback: boolean
  open(options: HttpServerOptions): Promise<HttpServer>
}

const HERE = `Node ${process.versions.node} on ${process.platform} ${process.arch}`

/** For the person who starts it: which engine serves, what that costs, and how to have the quick
 *  one. */
export function describeEngine({ name, isFallback }: HttpEngine): string {
  if (name === 'uws') return 'uWebSockets.js'
  if (!isFallback) return 'node:http'
  return `node:http, because uWebSockets.js has no binary for ${HERE}; ${COST}`
}

/** Fails with start.refused when the set engine cannot serve. Only here an engine's modules are
 *  loaded. */
export async function chooseHttpEngine(wanted: {
  readonly engine?: EngineName | undefined
  readonly frontProcesses: number
}): Promise<HttpEngine> {
  const { engine, frontProcesses } = wanted
  if (engine !== 'node') {
    const { loadUws } = await import('./uws/load.ts')
    const uWS = await loadUws()
    if (uWS !== undefined) {
      const open = async (options: HttpServerOptions): Promise<HttpServer> => {
        const { openUwsServer } = await import('./uws/open.ts')
        return await openUwsServer(uWS, options)
      }
      return { name: 'uws', isFallback: false, open }
    }
    if (engine === 'uws')
      throw refusal(
        `LOGEYE_HTTP_ENGINE is uws, and uWebSockets.js has no binary for ${HERE}: leave it out, or use Node 22`,
      )
  }
  if (frontProcesses > 1) {
    const { canSharePort } = await import('./node/listen.ts')
    if (!canSharePort())
      throw refusal(
        `LOGEYE_HTTP_FRONT_PROCESSES above 1 needs Node 22.12, 23.1 or later on node:http, and this is ${HERE}`,
      )
  }
  const open = async (options: HttpServerOptions): Promise<HttpServer> => {
    const { openNodeServer } = await import('./node/open.ts')
    return await openNodeServer(options)
  }
  return { name: 'node', isFallback: engine === undefined, open }
}

function refusal(reason: string): Failure {
  return new Failure('start.refused', { reason })
}
