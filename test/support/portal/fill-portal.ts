// Rows of a large portal, written into its SQLite database beside it; and where the last page of a
// list is, which no caller reaches without having read all others.
import { sql } from 'kysely'
import { z } from 'zod'
import { systemClock } from '../../../infra/clock.ts'
import { openPortalDatabase } from '../../../portal/database/open.ts'
import { openPortalKey } from '../../../portal/database/shared-key.ts'
import { Cursors } from '../../../portal/edge/cursors.ts'

const DAYS = 90
/** Deployments of one transaction: others of the portal wait for it. */
const AT_ONCE = 250
const LIMIT = 50
const HOUR_MS = 3_600_000

export async function fillPortal(
  folder: string,
  of: { readonly organizationId: string; readonly deployments: number; readonly rows: number },
): Promise<void> {
  const { organizationId, deployments, rows } = of
  const database = await openPortalDatabase({ folder, clock: systemClock })
  const now = Date.now()
  const toHour = Math.floor(now / HOUR_MS)
  const fromHour = toHour - DAYS * 24
  const count = (from: number, to: number) =>
    sql`with recursive n(n) as (select ${sql.lit(from)} union all select n + 1 from n where n < ${sql.lit(to)})`
  try {
    for (let from = 1; from <= rows; from += 100_000) {
      const to = Math.min(rows, from + 99_999)
      await database.write(async (t) => {
        await sql`insert into organizations (id, name, name_folded, kind, channel, region, currency, created_ms)
          ${count(from, to)} select printf('org_%026d', n), 'Row ' || n, 'row ' || n, 'customer', null, 'eu', 'EUR', ${now} from n`.execute(
          t,
        )
        await sql`insert into portal_audit (id, at_ms, caller, organization_id, action, target, result, request_id, address)
          ${count(from, to)} select printf('aud_%026d', n), ${now}, 'operator crd_x', null, 'makeOrganization', 'x', 'done', 'req_x', '192.0.2.1' from n`.execute(
          t,
        )
      })
    }
    for (let from = 1; from <= deployments; from += AT_ONCE) {
      const to = Math.min(deployments, from + AT_ONCE - 1)
      await database.write(async (t) => {
        await sql`insert into deployments (id, number, organization_id, license_id, fingerprint, reported_name, label, version, layout, nodes, address, created_ms, last_seen_ms)
          ${count(from, to)} select printf('dep_%026d', n), n, ${organizationId}, (select id from licenses limit 1), 'bench-' || n, 'Deployment ' || n, null, '1', 'X8', '[]', '192.0.2.1', ${now}, ${now} from n`.execute(
          t,
        )
        await sql`insert into usage_hours (deployment, hour, source, events, bytes)
          with recursive d(d) as (select ${sql.lit(from)} union all select d + 1 from d where d < ${sql.lit(to)}),
            h(h) as (select ${sql.lit(fromHour)} union all select h + 1 from h where h < ${sql.lit(toHour - 1)})
          select d, h, '', 1000, 1000000 + (h % 24) * 10000 + (h / 24 % 7) * 30000 from d cross join h`.execute(
          t,
        )
      })
    }
    await database.write(async (t) => {
      await sql`insert into usage_days (organization_id, day, events, bytes)
        select ${organizationId}, hour / 24, ${sql.lit(deployments)} * sum(events), ${sql.lit(deployments)} * sum(bytes)
        from usage_hours where deployment = 1 group by hour / 24`.execute(t)
    })
  } finally {
    await database.close()
  }
}

/** Path of the last page of `list`. `readCursor` gives that of the first page: the one that is made
 *  here has to be of the same list. */
export async function lastPageOf(
  folder: string,
  list: string,
  organizationId: string | undefined,
  readCursor: (path: string) => Promise<string>,
): Promise<string> {
  const database = await openPortalDatabase({ folder, clock: systemClock })
  try {
    const cursors = new Cursors(await openPortalKey(database, 'cursors', systemClock))
    const [path = '', query = ''] = list.split('?')
    const filters = Object.fromEntries(new URLSearchParams(query))
    const name = JSON.stringify([`/api/portal/v1${path}`, organizationId ?? '', filters])
    const first = await readCursor(list)
    const key = cursors.read(first, name)
    const last = key.startsWith('[')
      ? JSON.stringify([
          ...z.tuple([z.string()]).rest(z.unknown()).parse(JSON.parse(key)).slice(0, 1),
          ...[Math.floor(Date.now() / HOUR_MS) - DAYS * 24 + LIMIT, ''],
        ])
      : key.replace(/_.*/, (id) => `_${String(LIMIT + 1).padStart(id.length - 1, '0')}`)
    const joint = list.includes('?') ? '&' : '?'
    return `${list}${joint}cursor=${cursors.write(last, name)}`
  } finally {
    await database.close()
  }
}
