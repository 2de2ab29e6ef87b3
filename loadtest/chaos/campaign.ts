// Faults at random moments under senders that repeat what was not acknowledged; between and at the
// end everything is read back through the public search. `npx tsx loadtest/chaos/campaign.ts
// --faults 100 --seed 7`; exits 1 when anything is wrong. With `--prove` it shows that it would see
// it: starts that are wrong on purpose must be found wrong.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { mulberry32 } from '../support/events.ts'
import { campaignMain, type Form, holdCampaign, readValues, USAGE } from './campaign/cli.ts'
import { type Sabotage, startEmbeddedTarget } from './embedded/start-target.ts'

const OWN_USAGE = `${USAGE}
  --form embedded|cluster   cluster: Kafka, PostgreSQL and each role its own process, with --brokers 1|3 and --copies N instead of the rest
  --disk own    an image that can be full and whose power can be cut (the default with root); shared: the disk of the temporary directory
  --kept N      N older days lie in the store, and are compacted, archived, deleted from and let go
  --collect yes  files are written and rotated, on this machine, by SSH and in a bucket, and collected
  --sabotage look-up   the writer does not look what is there: doubles
  --sabotage flush     requests are answered before they are flushed: losses
  --prove       both, one after the other; exits 1 when the campaign does not find them`
const FRONT = 'SIGKILL of listener and query (front)'
const PROOFS = [
  {
    ...{ sabotage: 'look-up', kind: 'doubled' },
    only: ['answers of senders lost', 'SIGSTOP of listener and query (front)', 'SIGKILL of store'],
  },
  { sabotage: 'flush', kind: 'lost', only: ['power cut', 'SIGKILL of everything', FRONT] },
] as const

const form: Form = {
  names: ['form', 'disk', 'sabotage', 'kept', 'collect'],
  start: async ({ form: name = 'embedded', disk = 'own', sabotage, kept = '0', ...more }) => {
    const { collect = 'no', seed } = more
    if (name !== 'embedded') throw new Error('this program knows --form embedded')
    const sabotaged = isSabotage(sabotage) ? { sabotage } : {}
    const random = mulberry32(Number(seed ?? 0))
    const keptDays = Number(kept)
    return await startEmbeddedTarget({
      ...{ isImageWanted: disk === 'own', keptDays, random, isCollecting: collect === 'yes' },
      ...sabotaged,
    })
  },
}

function isSabotage(value: unknown): value is Sabotage {
  return value === 'look-up' || value === 'flush'
}

/** 0 when each sabotage was found. */
async function prove(argv: readonly string[]): Promise<number> {
  let missed = 0
  for (const { sabotage, kind, only } of PROOFS) {
    // What a sabotage loses never comes: nobody waits long for it.
    const fixed = { faults: '12', round: '4', searchable: '20' }
    const given = { ...fixed, ...readValues(form, argv), sabotage }
    const target = await form.start(given)
    // Without a disk of its own there is no power to cut.
    const names = only.filter((name) => target.faults.some((it) => it.name === name))
    const summary = await holdCampaign(target, { ...given, only: names.join(',') })
    const found = summary?.findings[kind] ?? 0
    console.log(`sabotage ${sabotage}: ${found} ${kind} found`)
    if (found === 0) missed += 1
  }
  return missed === 0 ? 0 : 1
}

/** A program of its own. */
function runOnCluster(argv: readonly string[]): number {
  const root = join(import.meta.dirname, '../..')
  const program = join(root, 'loadtest/chaos/cluster/main.ts')
  const options = argv.filter((word, at) => word !== '--form' && argv[at - 1] !== '--form')
  return (
    spawnSync(process.execPath, ['--import', 'tsx', program, ...options], {
      ...{ cwd: root, stdio: 'inherit' },
    }).status ?? 1
  )
}

const argv = process.argv.slice(2)
if (argv[argv.indexOf('--form') + 1] === 'cluster') process.exit(runOnCluster(argv))
if (argv.includes('--help')) console.log(OWN_USAGE)
else if (argv.includes('--prove'))
  process.exit(await prove(argv.filter((word) => word !== '--prove')))
else process.exit(await campaignMain(form, argv))
