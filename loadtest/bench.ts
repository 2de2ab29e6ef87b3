// `npm run bench`: starts what it measures itself and ends it again; exits 1 when something is
// missed or wrong. Machines are noisy: read ratios.
//   (nothing)               the product by itself: --events N (1000000), --seconds S of single
//     posts (8), --json FILE
//   --peer <victoria-logs>  beside VictoriaLogs: --events N (3000000), --rounds R (3), --seconds S
//     of single posts a round (6), --no-disk
//   --form cluster          the Kafka form beside the embedded one: --events N (900000), --rounds R
//     (5), --seconds S (6)
//   --fronts                two front processes beside one: --events N (300000 a round), --rounds R
//     (5), --seconds S (5)
//   --recover <directory>   starts and kills of a kept data directory, which is copied first:
//     --rounds R (3)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAlone } from './support/bench/alone.ts'
import { benchCluster } from './support/bench/beside-cluster.ts'
import { benchFronts } from './support/bench/beside-fronts.ts'
import { benchPeer } from './support/bench/beside-peer.ts'
import { benchRecovery } from './support/bench/recovery.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    peer: { type: 'string' },
    form: { type: 'string' },
    fronts: { type: 'boolean' },
    recover: { type: 'string' },
    'no-disk': { type: 'boolean' },
  },
})
const number = (text: string | undefined, otherwise: number) => Number(text ?? otherwise)
const plan = (events: number, rounds: number, seconds: number) => ({
  directory: mkdtempSync(join(tmpdir(), 'logeye-bench-')),
  events: number(values.events, events),
  rounds: number(values.rounds, rounds),
  singleMs: number(values.seconds, seconds) * 1000,
})

process.exit((await run()) ? 0 : 1)

async function run(): Promise<boolean> {
  if (values.form !== undefined && values.form !== 'cluster') throw new Error('--form is cluster')
  const { peer, recover } = values
  if (peer !== undefined) {
    const hasDisk = values['no-disk'] !== true
    return await within(plan(3_000_000, 3, 6), (it) => benchPeer({ ...it, binary: peer, hasDisk }))
  }
  if (values.form === 'cluster') return await within(plan(900_000, 5, 6), benchCluster)
  if (values.fronts === true) return await within(plan(300_000, 5, 5), benchFronts)
  if (recover !== undefined)
    return await within(plan(0, 3, 0), (it) => benchRecovery({ ...it, source: recover }))
  return await benchAlone({
    events: number(values.events, 1_000_000),
    singleMs: number(values.seconds, 8) * 1000,
    json: values.json,
  })
}

async function within<T extends { readonly directory: string }>(
  options: T,
  measure: (options: T) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await measure(options)
  } finally {
    rmSync(options.directory, { recursive: true, force: true })
  }
}
