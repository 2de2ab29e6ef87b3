// Random damages to a stopped data directory, one a try on a copy of its own; then a start, and a
// judgement from outside. Exits 1 when one ended in a silent difference, or said less than it must.
// `npx tsx loadtest/chaos/damage.ts --damages 200 --seed 7`. With `--prove` it shows that it would
// see a difference: what is lost, never sent or doubled without a message must be judged silent.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mulberry32 } from '../support/events.ts'
import type { Random } from './campaign/target.ts'
import { copyDirectory } from './damage/copy-directory.ts'
import { DAMAGES, type Damage, strike } from './damage/damages.ts'
import { type Judgement, judge } from './damage/judge.ts'
import { type Directory, type Prepared, prepare } from './damage/prepare.ts'
import { printTable, type Try } from './damage/print-table.ts'

const USAGE = `options:
  --damages N   how many (default 200)
  --seed S      replays them; default 1
  --first N     the number of the first one: with --damages 1 one is tried again
  --at-once N   tries beside each other (default 2)
  --only TEXT   those whose engine and operation hold it, e.g. 'store' or 'older'
  --keep        keeps the copies of tries that went wrong
  --prove       that silent differences are seen`

type Options = {
  readonly seed: number
  readonly first: number
  readonly damages: number
  readonly atOnce: number
  readonly only: string
  readonly keep: boolean
}

async function hold(place: string, options: Options): Promise<number> {
  const prepared = await prepare(join(place, 'prepared'), options.seed)
  const tries: Try[] = []
  let next = options.first
  const work = async () => {
    for (let number = next++; number < options.first + options.damages; number = next++)
      tries.push(await tryOne(place, prepared, number, options))
  }
  await Promise.all(Array.from({ length: options.atOnce }, work))
  console.log(printTable(tries))
  console.log(`seed ${options.seed}, ${tries.length} damages`)
  const wrong = tries.filter(({ judgement }) => isWrong(judgement)).length
  console.log(wrong === 0 ? 'no silent difference' : `WRONG: ${wrong}`)
  return wrong === 0 ? 0 : 1
}

/** By its number alone, so that it can be tried again. */
async function tryOne(
  place: string,
  prepared: Prepared,
  number: number,
  options: Options,
): Promise<Try> {
  const random = mulberry32(options.seed * 100_000 + number)
  const base = prepared.bases[random(prepared.bases.length)]
  if (base === undefined) throw new Error('no directory was prepared')
  const damage = choose(options.only, random)
  const dataDir = join(place, `try-${number}`)
  copyDirectory(base.path, dataDir)
  const done = strike(damage, { dataDir, older: prepared.older.path }, random)
  const begin = performance.now()
  const judgement = await judge(dataDir, { sent: base.sent, secrets: prepared.secrets })
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  const { outcome, told } = judgement
  console.log(
    `${number} ${damage.engine}, ${base.name}: ${done}: ${outcome} (${seconds} s) ${told}`,
  )
  if (!(options.keep && isWrong(judgement))) rmSync(dataDir, { recursive: true, force: true })
  return { damage, judgement }
}

function choose(only: string, random: Random): Damage {
  const among = DAMAGES.filter(({ damage }) =>
    `${damage.engine} ${damage.operation}`.includes(only),
  )
  let at = random(among.reduce((sum, { weight }) => sum + weight, 0))
  for (const { damage, weight } of among) {
    if (at < weight) return damage
    at -= weight
  }
  throw new Error(`no damage is called ${only}`)
}

const isWrong = ({ outcome }: Judgement) => ['late', 'half', 'silent', 'unclear'].includes(outcome)

/** What no check of the product can see must be seen by the judge, who knows what was sent. */
async function prove(place: string, seed: number): Promise<number> {
  const { older, bases, secrets } = await prepare(join(place, 'prepared'), seed)
  const [clean] = bases
  const [one] = clean?.sent ?? []
  if (clean === undefined || one === undefined) throw new Error('no directory was prepared')
  const changed = (events: number) => [{ ...one, events }, ...clean.sent.slice(1)]
  const planted: readonly [string, Directory, Judgement['outcome']][] = [
    ['nothing', clean, 'right'],
    ['everything of an older moment', { path: older.path, sent: clean.sent }, 'silent'],
    ['one event lost', { path: clean.path, sent: changed(one.events + 1) }, 'silent'],
    ['one event too many', { path: clean.path, sent: changed(one.events - 1) }, 'silent'],
  ]
  let missed = 0
  for (const [name, { path, sent }, expected] of planted) {
    const dataDir = join(place, 'planted')
    copyDirectory(path, dataDir)
    const { outcome, told } = await judge(dataDir, { sent, secrets, patienceMs: 1000 })
    rmSync(dataDir, { recursive: true, force: true })
    console.log(`planted ${name}: judged ${outcome} ${told}`)
    if (outcome !== expected) missed += 1
  }
  return missed === 0 ? 0 : 1
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      damages: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      first: { type: 'string', default: '0' },
      'at-once': { type: 'string', default: '2' },
      only: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
      prove: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const place = mkdtempSync(join(tmpdir(), 'logeye-damage-'))
  try {
    if (values.prove) return await prove(place, Number(values.seed))
    return await hold(place, {
      seed: Number(values.seed),
      first: Number(values.first),
      damages: Number(values.damages),
      atOnce: Number(values['at-once']),
      only: values.only,
      keep: values.keep,
    })
  } finally {
    if (values.keep) console.log(`kept: ${place}`)
    else rmSync(place, { recursive: true, force: true })
  }
}

process.exit(await main())
