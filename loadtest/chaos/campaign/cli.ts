// The program around a campaign, the same for every form: options, plan, table, exit code.
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makePlan, printOfPlan } from './plan.ts'
import { printSummary } from './print-summary.ts'
import { runCampaign } from './run-campaign.ts'
import type { Target } from './target.ts'

const ROUND_LENGTH = 25
const SENDERS = 6

export const USAGE = `options:
  --faults N    how many (default 100)
  --seed S      replays a plan; default: another one each time
  --long N      how many of them last 60 s (default 0)
  --only a,b    these faults and no others
  --senders N   default ${SENDERS}
  --round N     faults between two checks (default ${ROUND_LENGTH})
  --json FILE   appends the summary as one line, so that runs can be summed
  --plan        prints the plan and does nothing
  --keep        keeps the data directory`

/** Starts the target, holds the campaign, prints its table. Resolves with the exit code: 0 when nothing is wrong. */
export async function campaignMain(
  startTarget: (options: { seed: number }) => Promise<Target>,
  argv: readonly string[],
): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      faults: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      long: { type: 'string', default: '0' },
      only: { type: 'string' },
      senders: { type: 'string', default: String(SENDERS) },
      round: { type: 'string', default: String(ROUND_LENGTH) },
      json: { type: 'string' },
      plan: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  const seed = Number(values.seed)
  const target = await startTarget({ seed })
  let keepData = true
  try {
    const faults = chooseFaults(target, values.only?.split(','))
    const counts = { faults: Number(values.faults), long: Number(values.long) }
    const rounds = makePlan(faults, { seed, ...counts, roundLength: Number(values.round) })
    console.log(
      `seed ${seed}, plan ${printOfPlan(rounds)}, ${values.faults} faults on the ${target.form} form`,
    )
    if (values.plan) {
      for (const strike of rounds.flatMap((round) => round.strikes))
        console.log(JSON.stringify(strike))
      keepData = false
      return 0
    }
    const summary = await runCampaign({
      target,
      faults,
      rounds,
      seed,
      senders: Number(values.senders),
    })
    console.log(printSummary(summary))
    if (values.json !== undefined) appendFileSync(values.json, `${JSON.stringify(summary)}\n`)
    keepData = values.keep || !summary.isRight
    return summary.isRight ? 0 : 1
  } finally {
    await target.destroy({ keepData })
  }
}

function chooseFaults(target: Target, only: readonly string[] | undefined) {
  if (only === undefined) return target.faults
  const known = new Set(target.faults.map((it) => it.name))
  const strange = only.filter((name) => !known.has(name))
  if (strange.length > 0)
    throw new Error(`no such fault: ${strange.join(', ')}; there are ${[...known].join(', ')}`)
  return target.faults.filter((it) => only.includes(it.name))
}
