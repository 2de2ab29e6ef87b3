// Searches over events that were just sent, beside the same searches over the same events at rest.
// By wall time, and by the CPU time of the store, which other work on the machine disturbs less.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSearchClient } from '../../../test/support/clients/search-client.ts'
import { cpuSeconds } from '../../../test/support/machine/process-usage.ts'
import { type Product, startProduct } from '../../../test/support/product/product.ts'
import { waitForCount } from '../measure.ts'
import type { Figure } from './figures.ts'
import { LOAD_LIMIT_MS, loadPeer, type Manifest, send } from './load-data.ts'
import { measureFigure } from './measure-figure.ts'
import { OurClient } from './our-client.ts'
import { type Peer, startPeer } from './peer.ts'
import { ms } from './print-figures.ts'

const FRESH_AFTER_MS = 45_000
const SETTLED_AFTER_MS = 360_000
/** Fresh beside settled. */
const ASKED_RATIO = 1.3
/** Of `listFigures`. */
const NAMES = [
  'count by level',
  'word by service with average',
  'histogram of a word by minute',
  'thread = value, count',
  'duration > 500, count',
  'absent word',
]

type Moment = { readonly name: string; readonly wallMs: number; readonly storeMs: number }

export async function measureFresh(options: {
  readonly events: number
  readonly nowMs: number
  readonly peerBinary: string | undefined
  readonly figures: readonly Figure[]
}): Promise<string[]> {
  const { events, nowMs, peerBinary } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'logeye-bench-fresh-'))
  const spread: Manifest = { events, startMs: Math.floor(nowMs / 1000) * 1000 - 86_400_000 }
  let peer: Peer | undefined
  let product: Product | undefined
  try {
    if (peerBinary !== undefined) {
      peer = await startPeer(peerBinary, join(dataDir, 'peer'))
      await loadPeer(peer, spread)
    }
    product = await startProduct({ dataDir: join(dataDir, 'product') })
    const { secrets, port, url } = product
    await send(port, `/logeye/api/logger.jsp?token=${secrets.token}&hostName=bench`, spread)
    const sentAt = performance.now()
    const search = makeSearchClient(url, secrets.password)
    const found = await waitForCount(search, '*', events, LOAD_LIMIT_MS)
    if (found !== events) throw new Error(`${found} instead of ${events} events`)
    const searchableMs = performance.now() - sentAt
    console.log(
      `\n${events} events, all searchable ${(searchableMs / 1000).toFixed(0)} s after the last`,
    )
    const figures = options.figures.filter(({ name }) => NAMES.includes(name))
    const fresh = await measureAt(product, peer, figures, sentAt + FRESH_AFTER_MS)
    const settled = await measureAt(product, peer, figures, sentAt + SETTLED_AFTER_MS)
    return compare(fresh, settled)
  } finally {
    await peer?.stop()
    await product?.killAll()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureAt(
  product: Product,
  peer: Peer | undefined,
  figures: readonly Figure[],
  at: number,
): Promise<Moment[]> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())))
  const ours = new OurClient(product.port, { user: 'admin', password: product.secrets.password })
  const store = product.processes().find(({ role }) => role.includes('store'))
  const moments: Moment[] = []
  for (const figure of figures) {
    const before = store ? cpuSeconds(store.pid) : 0
    const measured = await measureFigure(figure, ours, peer, 'all')
    const used = store ? cpuSeconds(store.pid) - before : 0
    const { oursMs = Number.NaN, peerMs, runs } = measured
    moments.push({ name: figure.name, wallMs: oursMs, storeMs: (used * 1000) / runs })
    const beside = peerMs === undefined ? '' : `, VictoriaLogs ${ms(peerMs)}`
    console.log(`${figure.name.padEnd(44)}${ms(oursMs).padStart(9)} ms${beside}`)
  }
  ours.close()
  return moments
}

function compare(fresh: readonly Moment[], settled: readonly Moment[]): string[] {
  const missed: string[] = []
  console.log(`\n${'fresh / settled'.padEnd(44)}${'wall'.padStart(9)}${'store CPU'.padStart(11)}`)
  for (const [index, { name, wallMs, storeMs }] of fresh.entries()) {
    const rest = settled[index]
    if (rest === undefined) continue
    const ratio = wallMs / rest.wallMs
    const cpu = storeMs / rest.storeMs
    console.log(`${name.padEnd(44)}${ratio.toFixed(2).padStart(9)}${cpu.toFixed(2).padStart(11)}`)
    if (!(ratio <= ASKED_RATIO)) missed.push(`${name}: fresh ${ratio.toFixed(2)} x settled`)
  }
  return missed
}
