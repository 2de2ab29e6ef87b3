// The program around a campaign, the same for every form: options, plan, table, exit code.
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makePlan, printOfPlan } from './plan.ts'
import { printSummary } from './print-summary.ts'
import { runCampaign, type Summary } from './run-campaign.ts'
import type { Fault, Target } from './target.ts'

const ROUND_LENGTH = 10
const SENDERS = 6
const SEARCHABLE_SECONDS = 120
const MAX_RANDOM_SEED = 1_000_000

export const USAGE = `options:
  --faults N    how many (default 100)
  --seed S      replays a plan; default: another one each time
  --long N      how many of them last 60 s (default 0)
  --only a,b    these faults and no others
  --senders N   default ${SENDERS}
  --round N     faults between two checks (default ${ROUND_LENGTH})
  --searchable N  seconds to wait for events to be searchable (default ${SEARCHABLE_SECONDS})
  --json FILE   appends the summary as one line, so that runs can be summed
  --plan        prints the plan and does nothing
  --keep        keeps the data`

type Values = Readonly<Record<string, string | boolean | undefined>>

/** `names`: options of the form itself, with texts as values. Their values are handed to
 *  `start`. */
export type Form = {
  readonly names: readonly string[]
  start(values: Values): Promise<Target>
}

/** Starts the target, holds the campaign, prints its table. Resolves with the exit code: 0 when
 *  nothing is wrong. */
export async function campaignMain(form: Form, argv: readonly string[]): Promise<number> {
  const values = readValues(form, argv)
  const summary = await holdCampaign(await form.start(values), values)
  return summary === undefined || summary.isRight ? 0 : 1
}

export function readValues(form: Pick<Form, 'names'>, argv: readonly string[]): Values {
  const own = form.names.map((name) => [name, { type: 'string' }] as const)
  const { values } = parseArgs({
    args: [...argv],
    options: {
      faults: { type: 'string' },
      seed: { type: 'string' },
      long: { type: 'string' },
      only: { type: 'string' },
      senders: { type: 'string' },
      round: { type: 'string' },
      searchable: { type: 'string' },
      json: { type: 'string' },
      plan: { type: 'boolean' },
      keep: { type: 'boolean' },
      ...Object.fromEntries(own),
    },
  })
  return values
}

/** Undefined when only the plan was wanted. The target is gone afterwards. */
export async function holdCampaign(target: Target, values: Values): Promise<Summary | undefined> {
  const whole = (name: string, absent: number) => Number(values[name] ?? absent)
  const seed = whole('seed', Date.now() % MAX_RANDOM_SEED)
  let keepData = false
  const onSignal = () => void target.destroy({ keepData: false }).then(() => process.exit(1))
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal)
  try {
    const faults = chooseFaults(target, values.only)
    const rounds = makePlan(faults, {
      seed,
      faults: whole('faults', 100),
      long: whole('long', 0),
      roundLength: whole('round', ROUND_LENGTH),
    })
    console.log(`seed ${seed}, plan ${printOfPlan(rounds)}, ${target.form}`)
    if (values.plan === true) {
      for (const { strikes } of rounds) for (const it of strikes) console.log(JSON.stringify(it))
      return undefined
    }
    const senders = whole('senders', SENDERS)
    const searchableLimitMs = whole('searchable', SEARCHABLE_SECONDS) * 1000
    const options = { target, faults, rounds, seed, senders, searchableLimitMs }
    const summary = await runCampaign(options)
    console.log(printSummary(summary))
    if (typeof values.json === 'string') appendFileSync(values.json, `${JSON.stringify(summary)}\n`)
    keepData = values.keep === true
    return summary
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal)
    await target.destroy({ keepData })
  }
}

function chooseFaults(target: Target, only: Values[string]): readonly Fault[] {
  if (typeof only !== 'string') return target.faults
  const names = only.split(',')
  const known = new Set(target.faults.map((it) => it.name))
  const strange = names.filter((name) => !known.has(name))
  if (strange.length > 0)
    throw new Error(`no such fault: ${strange.join(', ')}; there are ${[...known].join(', ')}`)
  return target.faults.filter((it) => names.includes(it.name))
}
