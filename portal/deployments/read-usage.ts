// Usage rows in one order: newest deployment first, of each the newest hour or day. Read deployment
// by deployment, so that neither a page nor an export ever sorts or holds the whole.
import { sql } from 'kysely'
import type { UsageRow } from '../../schemas/portal/usage.ts'
import type { PortalReader } from '../database/open.ts'
import { HOUR_MS } from './check-meters.ts'

const AT_ONCE = 500

export type UsageFilter = {
  /** Undefined: of all. */
  readonly organizationId: string | undefined
  readonly deploymentId: string | undefined
  readonly source: string | undefined
  readonly granularity: 'hour' | 'day'
  /** Hours since 1970; `toHour` itself is not among them. */
  readonly fromHour: number
  readonly toHour: number
}

/** Of a row, for a cursor. */
export type UsagePlace = {
  readonly deployment: number
  /** Hours or days since 1970. */
  readonly unit: number
  readonly source: string
}

export type PlacedUsage = { readonly place: UsagePlace; readonly row: UsageRow }

/** The rows after `after`; undefined: from the first. */
export async function* readUsage(
  db: PortalReader,
  filter: UsageFilter,
  after: UsagePlace | undefined,
): AsyncGenerator<PlacedUsage> {
  let last = after
  let deployment = await findDeployment(db, filter, after?.deployment, '<=')
  while (deployment !== undefined) {
    const { id, number } = deployment
    const place = last?.deployment === number ? last : undefined
    const rows = await readUnits(db, filter, number, place)
    for (const row of rows) {
      last = { deployment: number, unit: row.unit, source: row.source }
      yield { place: last, row: toRow(filter, id, row) }
    }
    if (rows.length < AT_ONCE) deployment = await findDeployment(db, filter, number, '<')
  }
}

async function findDeployment(
  db: PortalReader,
  { organizationId, deploymentId }: UsageFilter,
  than: number | undefined,
  how: '<' | '<=',
) {
  let found = db
    .selectFrom('deployments')
    .select(['id', 'number'])
    .orderBy('number', 'desc')
    .limit(1)
  if (organizationId !== undefined) found = found.where('organization_id', '=', organizationId)
  if (deploymentId !== undefined) found = found.where('id', '=', deploymentId)
  if (than !== undefined) found = found.where('number', how, than)
  return await found.executeTakeFirst()
}

type Unit = { unit: number; source: string; events: number; bytes: number }

async function readUnits(
  db: PortalReader,
  { granularity, source, fromHour, toHour }: UsageFilter,
  deployment: number,
  after: UsagePlace | undefined,
): Promise<Unit[]> {
  const unit = granularity === 'day' ? sql<number>`hour / 24` : sql<number>`hour`
  let found = db
    .selectFrom('usage_hours')
    .select([unit.as('unit'), 'source', sum('events').as('events'), sum('bytes').as('bytes')])
    .where('deployment', '=', deployment)
    .where('hour', '>=', fromHour)
    .where('hour', '<', toHour)
    .groupBy([unit, 'source'])
    .orderBy(unit, 'desc')
    .orderBy('source', 'desc')
    .limit(AT_ONCE)
  if (source !== undefined) found = found.where('source', '=', source)
  if (after !== undefined)
    found = found.where(sql<boolean>`(${unit}, source) < (${after.unit}, ${after.source})`)
  return (await found.execute()).map((row) => ({
    ...{ unit: Number(row.unit), source: row.source },
    ...{ events: Number(row.events), bytes: Number(row.bytes) },
  }))
}

/** PostgreSQL gives sums as text. */
function sum(column: 'events' | 'bytes') {
  return sql<number | string>`sum(${sql.ref(column)})`
}

function toRow({ granularity }: UsageFilter, deploymentId: string, row: Unit): UsageRow {
  const { unit, source, events, bytes } = row
  const hours = granularity === 'day' ? unit * 24 : unit
  return { time: new Date(hours * HOUR_MS).toISOString(), deploymentId, source, events, bytes }
}
