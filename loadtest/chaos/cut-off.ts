// Backups, imports and restores that are killed at random moments while events are sent; then the
// same command again. Exits 1 when an event is lost or twice, a half backup passes for a whole one,
// or a half restore is served.
//   node infra/scripts/build.mjs && npx tsx loadtest/chaos/cut-off.ts --kills 20 --seed 1
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeSearchClient } from '../../test/support/clients/search-client.ts'
import { type Product, startProduct } from '../../test/support/product/product.ts'
import { type SteadyLoad, startSteadyLoad } from '../../test/support/product/steady-load.ts'
import { mulberry32 } from '../support/events.ts'
import { cutBackups } from './cut-off/backup-cuts.ts'
import type { Cuts } from './cut-off/cut.ts'
import { cutImports } from './cut-off/import-cuts.ts'
import { cutRestores } from './cut-off/restore-cuts.ts'

/** Numbers of requests that were under way when the senders ended. */
const OPEN = 1000

function report(name: string, { kills, unfinished, faults }: Cuts): number {
  console.log(`${name}: ${kills} kills, ${unfinished} before its end, ${faults.length} faults`)
  for (const fault of faults) console.log(`  FAULT ${fault}`)
  return faults.length
}

/** Each acknowledged event once, and no event twice. */
async function checkEvents(
  { url, secrets }: Product,
  name: string,
  acknowledged: ReadonlySet<number>,
): Promise<Cuts> {
  const { search, count } = makeSearchClient(url, secrets.password)
  for (let last = -1, now = await count('steady'); now !== last; now = await count('steady')) {
    last = now
    await sleep(1500)
  }
  const { rows } = await search('steady | count, count distinct n')
  const [events = 0, distinct = 0] = rows[1]?.map(Number) ?? []
  const end = acknowledged.size + OPEN
  const open = Array.from({ length: end }, (_, n) => n).filter((n) => !acknowledged.has(n))
  // Whatever was not acknowledged may have been stored.
  let stored = await count(`steady AND n >= ${end}`)
  for (let at = 0; at < open.length; ) {
    let to = at
    while (open[to + 1] === (open[to] ?? 0) + 1) to += 1
    stored += await count(`steady AND n >= ${open[at]} AND n <= ${open[to]}`)
    at = to + 1
  }
  const lost = acknowledged.size - (distinct - stored)
  const doubled = events - distinct
  console.log(`${name}: ${acknowledged.size} acknowledged, lost ${lost}, doubled ${doubled}`)
  const faults = lost === 0 && doubled === 0 ? [] : [`lost ${lost}, doubled ${doubled}`]
  return { kills: 0, unfinished: 0, faults }
}

async function campaign(place: string, kills: number, seed: number): Promise<number> {
  const random = mulberry32(seed)
  const product = await startProduct({ dataDir: join(place, 'data') })
  let load: SteadyLoad | undefined
  let faults = 0
  try {
    load = startSteadyLoad({ url: product.url, token: product.secrets.token, pauseMs: 50 })
    const imports = await cutImports(product, { kills, random, place })
    faults += report('import', imports)
    const backups = await cutBackups(product, { kills, random })
    faults += report('backup', backups)
    const before = load.acknowledged()
    const last = await cutBackups(product, { kills: 0, random, name: 'last' })
    faults += last.faults.length
    await load.stop()
    const all = await checkEvents(product, 'events', load.acknowledged())
    faults += all.faults.length
    const backup = last.backups.find((path) => path.endsWith('last')) ?? ''
    const restores = await cutRestores(backup, { kills, random, place })
    faults += report('restore', restores)
    const { secrets } = product
    const other = await startProduct({ dataDir: restores.dataDir, secrets })
    try {
      const there = await checkEvents(other, 'restored', before)
      faults += there.faults.length
    } finally {
      await other.stop()
    }
  } finally {
    await load?.stop()
    await product.stop()
  }
  return faults
}

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
})
const place = mkdtempSync(join(tmpdir(), 'logeye-cut-off-'))
const beganMs = performance.now()
try {
  const faults = await campaign(place, Number(values.kills), Number(values.seed))
  const seconds = Math.round((performance.now() - beganMs) / 1000)
  console.log(faults === 0 ? `no fault in ${seconds} s` : `WRONG: ${faults} in ${seconds} s`)
  process.exitCode = faults === 0 ? 0 : 1
} finally {
  rmSync(place, { recursive: true, force: true })
}
