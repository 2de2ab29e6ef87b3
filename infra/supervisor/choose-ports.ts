// The ports of a start: process configuration, else the settings of the database, else the
// defaults (decision 1.3).
import { readSetting } from '../../schemas/settings.ts'
import type { Clock } from '../clock.ts'
import type { LoadedConfig } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { readSqliteSettings } from '../database/sqlite-look.ts'
import { claimPort } from './free-port.ts'
import type { Supervision } from './messages.ts'
import type { Ports } from './plan-processes.ts'

const PLAIN = { path: 'http.plainPort', setting: 'system.httpPort' } as const
const TLS = { path: 'http.tlsPort', setting: 'system.httpsPort' } as const

/** Which of them the process configuration says. */
export function fixedPortsOf({ origins }: LoadedConfig): NonNullable<Supervision['fixedPorts']> {
  const isFixed = (path: string) => (origins.get(path) ?? 'default') !== 'default'
  return { plain: isFixed(PLAIN.path), tls: isFixed(TLS.path) }
}

/** `had`: those of this product, which nobody else has. Fails with http.port_taken,
 *  http.cannot_listen. */
export async function choosePorts(
  loaded: LoadedConfig,
  clock: Clock,
  had: Ports = { plain: 0, tls: undefined },
): Promise<Ports> {
  const { http } = loaded.config
  const fixed = fixedPortsOf(loaded)
  const portal = await choosePortalPorts(loaded.config, clock, had.portal)
  const kept = fixed.plain && fixed.tls ? new Map<string, string>() : await readKept(loaded, clock)
  const { address } = http
  const claim = async (port: number, mine: number | undefined, setting: string) =>
    port === mine ? port : await claimPort({ address, port, setting }, clock)
  const wantedPlain = fixed.plain
    ? http.plainPort
    : (readSetting(PLAIN.setting, kept.get(PLAIN.setting)) ?? http.plainPort)
  // 0 asks for any: that of before is one.
  const plain =
    wantedPlain === 0 && had.plain !== 0
      ? had.plain
      : await claim(wantedPlain, had.plain, 'LOGEYE_HTTP_PLAIN_PORT')
  if (http.certificateFile === undefined) return { plain, tls: undefined, ...portal }
  const wantedTls = fixed.tls
    ? http.tlsPort
    : (readSetting(TLS.setting, kept.get(TLS.setting)) ?? http.tlsPort)
  const tls =
    wantedTls === 0 && had.tls !== undefined
      ? had.tls
      : await claim(wantedTls, had.tls, 'LOGEYE_HTTP_TLS_PORT')
  return { plain, tls, ...portal }
}

/** Of the process configuration alone: the portal knows no settings of the product. */
async function choosePortalPorts(
  { roles, http, portal }: LoadedConfig['config'],
  clock: Clock,
  had: Ports['portal'],
): Promise<Pick<Ports, 'portal'>> {
  if (!roles.includes('portal')) return {}
  if (had !== undefined) return { portal: had }
  const { address } = portal
  const claim = (port: number, setting: string) => claimPort({ address, port, setting }, clock)
  const plain = await claim(portal.plainPort, 'LOGEYE_PORTAL_PLAIN_PORT')
  const hasTls = http.certificateFile !== undefined
  const tls = hasTls ? await claim(portal.tlsPort, 'LOGEYE_PORTAL_TLS_PORT') : undefined
  return { portal: { plain, tls } }
}

/** None where the database does not answer yet, or is new: its own check says so later. */
async function readKept(
  { config: { databaseUrl, dataDir } }: LoadedConfig,
  clock: Clock,
): Promise<ReadonlyMap<string, string>> {
  const names = [PLAIN.setting, TLS.setting]
  try {
    if (databaseUrl === undefined) return readSqliteSettings(dataDir, names)
    const database = await openDatabase({ url: databaseUrl.reveal(), dataDir, clock })
    try {
      const settings = database.read.selectFrom('settings').selectAll()
      const rows = await settings.where('name', 'in', names).execute()
      return new Map(rows.map(({ name, value }) => [name, value]))
    } finally {
      await database.close()
    }
  } catch {
    return new Map()
  }
}
