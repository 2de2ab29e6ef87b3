// The clock of this machine, beside times that the product wrote down earlier and, on PostgreSQL,
// beside the clock of its server.
import { readBuiltMs } from '../cli/version.ts'
import { readLatestMs, readServerMs } from '../metastore/written-times.ts'
import { bad, type Examination, type Finding, ok } from './check.ts'

/** More than two machines of one network differ, less than an event may lie ahead. */
const MAX_AHEAD_MS = 60_000
const ADVICE =
  'set the clock and keep it by NTP (chrony, systemd-timesyncd); events are stored at the time of this clock'

export async function checkClock({
  config,
  clock,
  metastore,
}: Examination): Promise<readonly Finding[]> {
  const nowMs = clock.nowMs()
  const here = new Date(nowMs).toISOString()
  const builtMs = readBuiltMs()
  if (builtMs !== undefined && nowMs < builtMs)
    return bad(`the clock says ${here}, which is before this program was made`, ADVICE)
  if (metastore === undefined) return []
  const { read } = metastore.database
  const latestMs = await readLatestMs(read)
  if (latestMs > nowMs + MAX_AHEAD_MS) {
    const latest = new Date(latestMs).toISOString()
    const text = `the clock says ${here}, and the product wrote something down at ${latest}: it was set back, or was ahead then`
    return bad(text, ADVICE)
  }
  if (config.databaseUrl === undefined) return ok(`${here}, later than all that was written down`)
  const serverMs = await readServerMs(read)
  const apartMs = Math.abs(serverMs - clock.nowMs())
  const apart = `${(apartMs / 1000).toFixed(1)} s apart from the clock of the database's server`
  return apartMs > MAX_AHEAD_MS ? bad(`${here}, ${apart}`, ADVICE) : ok(`${here}, ${apart}`)
}
