// The tables of the sizing, as Markdown.
import { ASSUMED, type Load } from './assumptions.ts'
import { type Plan, planCluster } from './plan.ts'
import { type Trial, tryPlan } from './scenarios.ts'

const TABLE_BYTES = [10e9, 100e9, 500e9, 1e12, 2e12, 5e12, 10e12]
const UNITS = { GB: 1e9, TB: 1e12, MB: 1e6 }

/** `500GB`, `1.5 TB`. Throws RangeError. */
export function readBytes(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(MB|GB|TB)$/i.exec(text.trim())
  const unit = Object.entries(UNITS).find(([name]) => name === match?.[2]?.toUpperCase())
  if (match === null || unit === undefined || Number(match[1]) === 0)
    throw new RangeError(`'${text}' is no amount such as 500GB or 2TB`)
  return Number(match[1]) * unit[1]
}

export function printBytes(bytes: number): string {
  if (bytes >= 0.9995e12) return `${round(bytes / 1e12)} TB`
  return bytes >= 0.9995e9 ? `${round(bytes / 1e9)} GB` : `${round(bytes / 1e6)} MB`
}

/** Three digits are more than these figures are worth, two are kept below 100. */
function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2).replace(/\.0$/, '')
}

function printCount(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}

const COLUMNS: readonly (readonly [string, (plan: Plan) => string])[] = [
  [
    'events a second, mean (peak)',
    (it) => `${printCount(it.meanEventsPerSecond)} (${printCount(it.peakEventsPerSecond)})`,
  ],
  ['one machine', (it) => (it.fitsOneMachine ? 'yes' : 'no')],
  ['listeners', (it) => String(it.listeners)],
  ['writers', (it) => String(it.writers)],
  ['their cores at the peak', (it) => it.ourCores.toFixed(1)],
  ['partitions', (it) => String(it.partitions)],
  ['brokers × disk', (it) => `${it.brokers} × ${printBytes(it.brokerDiskBytes)}`],
  [
    'store nodes × disk',
    (it) =>
      `${it.storeNodes} (${it.shards} × ${ASSUMED.storeReplicas}) × ${printBytes(it.storeDiskBytes)}`,
  ],
  ['store, a day', (it) => printBytes(it.storedBytesPerDay)],
  ['holds', () => ''],
]

export function printTable(
  common: Omit<Load, 'bytesPerDay'>,
  amounts: readonly number[] = TABLE_BYTES,
): string {
  const rows = amounts.map((bytesPerDay) => {
    const load = { bytesPerDay, ...common }
    const plan = planCluster(load)
    const holds = tryPlan(load, plan).every((trial) => trial.holds)
    const cells = COLUMNS.map(([name, cell]) =>
      name === 'holds' ? (holds ? 'yes' : '**no**') : cell(plan),
    )
    return [printBytes(bytesPerDay), ...cells]
  })
  const head = ['bytes a day', ...COLUMNS.map(([name]) => name)]
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

export function printTrials(load: Load, trials: readonly Trial[]): string {
  const rows = trials.map(({ name, course, holds }) => [
    name,
    `${((100 * course.refused) / course.arrived).toFixed(2)} %`,
    printBytes(course.mostWaitingBytes),
    course.latestMinutes < 1 ? 'under a minute' : `${course.latestMinutes} min`,
    holds ? 'yes' : '**no**',
  ])
  const head = ['when', 'refused', 'most waiting', 'latest searchable after', 'holds']
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `\n${printBytes(load.bytesPerDay)} a day:\n\n${lines.join('\n')}`
}
