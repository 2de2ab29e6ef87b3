// Servers for the HTTP contract tests: each is stopped after its test.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { chooseHttpEngine, type EngineName } from '../../../infra/http/engine.ts'
import type { HttpServer, HttpServerOptions } from '../../../infra/http/port.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { type Missing, missingEvenInCi } from '../run/missing.ts'
import { describeUnless } from '../run/skip.ts'
import { testClock } from '../run/test-clock.ts'
import { isFullTier } from '../run/tier.ts'
import { waitUntil } from '../run/wait-until.ts'
import { wantedEngine } from './wanted-engine.ts'

export const MIB = 1024 * 1024
/** What the servers logged. */
export const lines: string[] = []
const logger = makeLogger({
  level: 'info',
  process: 'test',
  clock: testClock,
  write: (line) => void lines.push(line),
})
const servers: HttpServer[] = []

const isUwsHere = await chooseHttpEngine({ engine: 'uws', frontProcesses: 1 }).then(
  () => true,
  () => false,
)

export type TestEngine = {
  readonly name: EngineName
  open(options?: Partial<HttpServerOptions>): Promise<HttpServer>
}

/** The suite once on each engine. One that has no binary here is skipped with that reason, unless
 *  it was asked for. */
export function describeEngines(title: string, suite: (engine: TestEngine) => void): void {
  for (const name of ['uws', 'node'] as const) {
    const isHere = name === 'node' || isUwsHere || wantedEngine() === 'uws'
    const reason = `uWebSockets.js has no binary for Node ${process.versions.node}`
    describeUnless(missingEvenInCi(isHere, reason), `${title} (${name})`, () =>
      suite({ name, open: (options) => open(options, name) }),
    )
  }
}

/** Limits that an engine counts by itself, without a clock of ours: a test waits for them. */
export function engineLimits(): Missing {
  return missingEvenInCi(isFullTier, 'waits for the limits of an engine: npm run test:all')
}

/** On the engine that the product would choose, unless one is named. */
export async function open(
  options: Partial<HttpServerOptions> = {},
  engine = wantedEngine(),
): Promise<HttpServer> {
  const { open: openOn } = await chooseHttpEngine({ engine, frontProcesses: 1 })
  const server = await openOn({
    address: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    sharePort: false,
    rawRoutes: [],
    fetch: () => new Response('no route', { status: 404 }),
    logger,
    ...options,
  })
  servers.push(server)
  return server
}

/** To be called at the top of a test file. */
export function useServers(): void {
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop(0)
    lines.length = 0
  })
}

/** For a state that must not come: as many turns of the server as there are round trips. */
export async function makeRoundTrips(count: number, address: string): Promise<void> {
  for (let trip = 0; trip < count; trip += 1) await (await fetch(address)).arrayBuffer()
}

/** Sends bytes, each part in packets of its own, and gives all that came back until `enough` says
 *  so, or the connection ends. */
export async function talk(
  port: number,
  parts: (string | Buffer)[],
  enough: (text: string) => boolean = () => false,
): Promise<{ text: string; isEnded: boolean }> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let text = ''
  let isEnded = false
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isEnded = true
  })
  for (const part of parts) {
    await new Promise((resolve) => socket.write(part, resolve))
    // The server reads it in between: it runs in this process.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate()
  }
  await waitUntil(
    'the answer is whole, or the connection ended',
    () => isEnded || enough(text),
    () => text,
  )
  socket.destroy()
  return { text, isEnded }
}

export const url = (server: HttpServer, path: string): string =>
  `http://127.0.0.1:${server.port}${path}`
