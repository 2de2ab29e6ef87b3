// The time zone of a call that names none (docs/decisions/0043).

import type { Reader, Rights } from '../../infra/metastore/rights/port.ts'
import type { Settings } from '../../infra/metastore/settings/port.ts'
import type { LogTree } from '../../infra/metastore/tree/port.ts'
import { Failure } from '../../schemas/failures.ts'
import { findTimeZone, UNKNOWN_ZONE } from '../../schemas/time/time-zone.ts'
import { findSingleTag } from '../language/resolve/single-tag.ts'

/** What a client says of itself with each call, as a page in a browser can. */
const ZONE_HEADER = 'x-time-zone'

/** Undefined: that of the system. Fails with search.parameter. */
export async function readCallZone(
  metastore: Settings & LogTree & Rights,
  call: { readonly request: Request; readonly reader: Reader; readonly query: string | undefined },
): Promise<string | undefined> {
  switch (metastore.setting('system.timeZoneMode')) {
    case 'dynamic':
      return zoneOfClient(call.request)
    case 'tag':
      return await zoneOfTag(metastore, call)
    case 'system':
      return undefined
  }
}

function zoneOfClient({ headers }: Request): string | undefined {
  const named = headers.get(ZONE_HEADER)
  if (named === null) return undefined
  const zone = findTimeZone(named)
  if (zone === undefined)
    throw new Failure('search.parameter', { parameter: 'X-Time-Zone', reason: UNKNOWN_ZONE })
  return zone.name
}

/** A tag that holds nothing which the user may view is not there for him, with its zone. */
async function zoneOfTag(
  metastore: LogTree & Rights,
  { reader, query }: { readonly reader: Reader; readonly query: string | undefined },
): Promise<string | undefined> {
  const name = query === undefined ? undefined : findSingleTag(query)
  if (name === undefined) return undefined
  const { logs } = await metastore.tree()
  const zone = metastore.tag(name)?.tag.timeZone ?? undefined
  if (zone === undefined) return undefined
  const visible = await metastore.visibleLogs(reader)
  for (const { id, appTags } of logs.values())
    if (appTags.includes(name) && (visible === 'all' || visible.has(id))) return zone
  return undefined
}
