// What is measured: the product in one of its forms, or the peer. Each on a directory of its own,
// ended by `stop`.
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeSearchClient, type SearchClient } from '../../../test/support/clients/search-client.ts'
import { startProduct } from '../../../test/support/product/product.ts'
import { PEER_INSERT_PATH, type Peer, startPeer } from '../search-bench/peer.ts'
import { startClusterScript } from './cluster-script.ts'
import { listTree, type Work } from './process-tree.ts'

export type Place = {
  readonly name: string
  /** Where events go. */
  readonly port: number
  readonly insertPath: string
  readonly dataDir: string
  processes(): Work[]
  /** Events that a search finds. */
  count(): Promise<number>
  stop(): Promise<void>
}

export type OwnPlace = Place & { readonly search: SearchClient }
export type PeerPlace = Place & { readonly peer: Peer }

export const HOST = 'bench'

/** Opens one after the other, and stops both whatever happens. */
export async function withPlaces<A extends Place, B extends Place>(
  openFirst: () => Promise<A>,
  openSecond: () => Promise<B>,
  use: (first: A, second: B) => Promise<boolean>,
): Promise<boolean> {
  const first = await openFirst()
  let second: B | undefined
  try {
    second = await openSecond()
    return await use(first, second)
  } finally {
    await first.stop()
    await second?.stop()
  }
}

export async function openEmbedded(
  directory: string,
  environment: Readonly<Record<string, string>> = {},
  name = 'embedded',
): Promise<OwnPlace> {
  const dataDir = join(directory, name)
  const product = await startProduct({ dataDir, environment })
  const search = makeSearchClient(product.url, product.secrets.password)
  return {
    name,
    port: product.port,
    insertPath: insertPath(product.secrets.token),
    dataDir,
    search,
    processes: () => listTree(product.supervisorPid),
    count: () => search.count(`* in server.${HOST}`),
    stop: async () => {
      await product.stop()
      await product.killAll()
    },
  }
}

/** Kafka, PostgreSQL, the store and one process a role, by the script of `npm run cluster`. */
export async function openCluster(directory: string): Promise<OwnPlace> {
  const dataDir = join(directory, 'cluster')
  // PostgreSQL refuses to run as root: another user passes through to a directory of his own.
  chmodSync(directory, 0o711)
  const cluster = await startClusterScript(dataDir)
  const search = makeSearchClient(cluster.url, cluster.password)
  return {
    name: 'cluster',
    port: cluster.listenerPort,
    insertPath: insertPath(cluster.token),
    dataDir,
    search,
    processes: () => listTree(cluster.pid),
    count: () => search.count(`* in server.${HOST}`),
    stop: () => cluster.stop(),
  }
}

export async function openPeer(binary: string, directory: string): Promise<PeerPlace> {
  const dataDir = join(directory, 'peer')
  rmSync(dataDir, { recursive: true, force: true })
  const peer = await startPeer(binary, dataDir)
  return {
    name: 'VictoriaLogs',
    port: peer.port,
    insertPath: PEER_INSERT_PATH,
    dataDir,
    peer,
    processes: () => listTree(peer.pid).map(({ pid }) => ({ pid, role: 'peer' })),
    count: () => peer.count(),
    stop: () => peer.stop(),
  }
}

function insertPath(token: string): string {
  return `/logeye/api/logger.jsp?token=${token}&hostName=${HOST}`
}
