// Fills product and peer with the same events, once for a directory: what lies there already is
// used again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import { cpuSeconds } from '../../../test/support/machine/process-usage.ts'
import { type Product, type Secrets, startProduct } from '../../../test/support/product/product.ts'
import { makePost, runLoad } from '../http-load.ts'
import { waitForCount } from '../measure.ts'
import { type EventSpread, makeBodySource } from './event-bodies.ts'
import { PEER_INSERT_PATH, type Peer, startPeer } from './peer.ts'
import { NEW_LOGS_ENVIRONMENT, prepareUsers } from './prepare-users.ts'

export const LOAD_LIMIT_MS = 1_800_000
const REST_LIMIT_MS = 300_000
const REST_MS = 5000
/** CPU seconds in such a stretch below which a process rests. */
const RESTING_CPU = 0.5

export type Manifest = EventSpread & {
  readonly secrets?: Secrets
  readonly hasUsers?: boolean
  readonly peerHasAll?: boolean
}

export type Loaded = {
  readonly spread: EventSpread
  readonly product: Product
  readonly peer: Peer | undefined
}

export async function openLoaded(options: {
  readonly dataDir: string
  readonly events: number
  readonly nowMs: number
  readonly peerBinary: string | undefined
}): Promise<Loaded> {
  const { dataDir, peerBinary } = options
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'search-bench.json')
  const known: Manifest | undefined = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : undefined
  // One day that ends now, in whole seconds.
  const startMs = Math.floor(options.nowMs / 1000) * 1000 - 86_400_000
  let manifest: Manifest = known ?? { events: options.events, startMs }
  if (known && known.events !== options.events)
    console.log(`the directory holds ${known.events} events, which are used`)
  const keep = (more: Partial<Manifest>) => {
    manifest = { ...manifest, ...more }
    writeFileSync(file, `${JSON.stringify(manifest)}\n`, { mode: 0o600 })
  }
  const product = await startProduct({
    dataDir: join(dataDir, 'product'),
    ...(known?.secrets ? { secrets: known.secrets } : {}),
    environment: NEW_LOGS_ENVIRONMENT,
  })
  let peer: Peer | undefined
  try {
    if (!known?.secrets) {
      await loadProduct(product, manifest)
      keep({ secrets: product.secrets })
    }
    if (!manifest.hasUsers) {
      await prepareUsers(product, manifest.startMs)
      keep({ hasUsers: true })
    }
    if (peerBinary !== undefined) {
      peer = await startPeer(peerBinary, join(dataDir, 'peer'))
      if (!manifest.peerHasAll) {
        await loadPeer(peer, manifest)
        keep({ peerHasAll: true })
      }
    }
    await waitForRest([...product.processes().map(({ pid }) => pid), ...(peer ? [peer.pid] : [])])
  } catch (error) {
    await product.killAll()
    await peer?.stop()
    throw error
  }
  return { spread: manifest, product, peer }
}

async function loadProduct(product: Product, spread: EventSpread): Promise<void> {
  const { secrets, port, url } = product
  const path = `/logeye/api/logger.jsp?token=${secrets.token}&hostName=bench`
  const seconds = await send(port, path, spread)
  const search = makeSearchClient(url, secrets.password)
  const found = await waitForCount(search, '* in log.app-*', spread.events, LOAD_LIMIT_MS)
  if (found !== spread.events) throw new Error(`${found} instead of ${spread.events} events`)
  console.log(`product: ${spread.events} events sent in ${seconds.toFixed(0)} s`)
}

export async function loadPeer(peer: Peer, spread: EventSpread): Promise<void> {
  const seconds = await send(peer.port, PEER_INSERT_PATH, spread)
  const deadline = performance.now() + REST_LIMIT_MS
  let found = 0
  while (found !== spread.events && performance.now() < deadline) {
    await sleep(1000)
    found = await peer.count()
  }
  if (found !== spread.events) throw new Error(`the peer has ${found} of ${spread.events} events`)
  console.log(`peer: ${spread.events} events sent in ${seconds.toFixed(0)} s`)
}

/** Bodies are made while they are sent; each must be answered 200. */
export async function send(port: number, path: string, spread: EventSpread): Promise<number> {
  const bodies = makeBodySource(spread)
  const load = await runLoad({
    port,
    connections: 4,
    request: () => {
      const body = bodies.next()
      return body ? makePost(path, body) : null
    },
    limitMs: LOAD_LIMIT_MS,
  })
  const statuses = [...load.byStatus].map(([status, count]) => `${count} x ${status}`)
  if (load.failedConnections > 0 || load.byStatus.size !== 1 || !load.byStatus.has(200))
    throw new Error(`bodies were not taken: ${statuses.join(', ')}`)
  return load.elapsedMs / 1000
}

/** Merges are over when the processes rest. */
async function waitForRest(pids: readonly number[]): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const deadline = performance.now() + REST_LIMIT_MS
  for (let before = used(); performance.now() < deadline; before = used()) {
    await sleep(REST_MS)
    if (used() - before < RESTING_CPU) return
  }
  console.log('the processes did not come to rest: the figures are those of a busy machine')
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
