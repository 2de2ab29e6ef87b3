// Which HTTP engine serves: uWebSockets.js where it has a binary for this Node and platform, node:http elsewhere; or the one that is set.
import { Failure } from '../../schemas/failures.ts'
import type { HttpServer, HttpServerOptions } from './port.ts'

export type EngineName = 'uws' | 'node'

export type HttpEngine = {
  readonly name: EngineName
  /** Nobody chose it: the quick one has no binary here. */
  readonly isFallback: boolean
  open(options: HttpServerOptions): Promise<HttpServer>
}

const HERE = `Node ${process.versions.node} on ${process.platform} ${process.arch}`
export const HOW_TO_BE_QUICK =
  'Node 22 has it, or install a package with a binary under the name uWebSockets.js'

/** Fails with start.refused when the set engine cannot serve. Only here the modules of an engine are loaded. */
export async function chooseHttpEngine(wanted: {
  readonly engine?: EngineName | undefined
  readonly frontProcesses: number
}): Promise<HttpEngine> {
  const { engine, frontProcesses } = wanted
  if (engine !== 'node') {
    const { loadUws } = await import('./uws/load.ts')
    const uWS = await loadUws()
    if (uWS !== undefined) {
      const { openUwsServer } = await import('./uws/open.ts')
      return { name: 'uws', isFallback: false, open: (options) => openUwsServer(uWS, options) }
    }
    if (engine === 'uws') throw refusal(`LOGEYE_HTTP_ENGINE is uws: ${HERE} has no binary of it`)
  }
  const { canSharePort } = await import('./node/listen.ts')
  if (frontProcesses > 1 && !canSharePort())
    throw refusal(
      `LOGEYE_HTTP_FRONT_PROCESSES above 1 needs Node 22.12, 23.1 or later on node:http, this is ${HERE}`,
    )
  const { openNodeServer } = await import('./node/open.ts')
  return { name: 'node', isFallback: engine === undefined, open: openNodeServer }
}

function refusal(reason: string): Failure {
  return new Failure('start.refused', { reason })
}
