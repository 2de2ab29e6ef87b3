// Backup and restore are of the embedded engines: no moment of several servers can be held from
// here (docs/decisions/0048).
import type { Config } from '../config-schema.ts'

type Place = Pick<Config, 'databaseUrl' | 'eventLogUrl' | 'storeUrl'>

const SERVERS = [
  { key: 'databaseUrl', setting: 'LOGEYE_DATABASE_URL' },
  { key: 'eventLogUrl', setting: 'LOGEYE_EVENT_LOG_URL' },
  { key: 'storeUrl', setting: 'LOGEYE_STORE_URL' },
] as const

/** Throws what `toFailure` makes when an engine is a server. */
export function refuseServers(config: Place, toFailure: (reason: string) => Error): void {
  const found = SERVERS.filter(({ key }) => config[key] !== undefined)
  if (found.length === 0) return
  const names = found.map(({ setting }) => setting).join(', ')
  throw toFailure(
    `${names} ${found.length > 1 ? 'name servers' : 'names a server'}: this works with the embedded engines only; use the tools of the servers, as the guide operate.md says`,
  )
}
