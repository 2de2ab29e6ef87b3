// Bytes a day -> processes, nodes, disks, partitions, and whether they live through faults: `npx
// tsx loadtest/sizing.ts`. Options: --per-day 500GB, --event-bytes 285, --peak 3, --days 30 (kept),
// --outage 12 (hours). Without --per-day: the table of docs/guides/sizing.md.
import { parseArgs } from 'node:util'
import type { Load } from './sizing/assumptions.ts'
import { planCluster } from './sizing/plan.ts'
import { printTable, printTrials, readBytes } from './sizing/print.ts'
import { tryPlan } from './sizing/scenarios.ts'

const { values } = parseArgs({
  options: {
    'per-day': { type: 'string' },
    'event-bytes': { type: 'string', default: '285' },
    peak: { type: 'string', default: '3' },
    days: { type: 'string', default: '30' },
    outage: { type: 'string', default: '12' },
  },
})
const common = {
  eventBytes: positive('event-bytes', values['event-bytes']),
  peakFactor: positive('peak', values.peak),
  retentionDays: positive('days', values.days),
  outageHours: positive('outage', values.outage),
}
if (values['per-day'] === undefined) print(printTable(common))
else {
  const load: Load = { bytesPerDay: amount(values['per-day']), ...common }
  const plan = planCluster(load)
  const trials = tryPlan(load, plan)
  print(printTable(common, [load.bytesPerDay]))
  print(printTrials(load, trials))
  process.exitCode = trials.every((trial) => trial.holds) ? 0 : 1
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  process.stderr.write(`--${name} must be a number above 0\n`)
  process.exit(2)
}

function amount(text: string): number {
  try {
    return readBytes(text)
  } catch (error) {
    process.stderr.write(`--per-day: ${error instanceof Error ? error.message : 'no amount'}\n`)
    process.exit(2)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
