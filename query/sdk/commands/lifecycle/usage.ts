// usage: the counters beside what the portal has acknowledged.
import { readPortalLink } from '../../../../infra/heartbeat/portal-link.ts'
import { HOUR_MS, readCounted } from '../../../../infra/heartbeat/read-counted.ts'
import { type Amount, readReported } from '../../../../infra/heartbeat/reported-hours.ts'
import { usage as published } from '../../../../schemas/sdk/lifecycle/usage.ts'
import { serveCommand } from '../../server/serve-command.ts'

const NONE: Amount = { events: 0, bytes: 0 }
const LIMIT_MS = 60_000
const USUAL_DAYS = 7

export const usage = serveCommand(
  published,
  async ({ days = USUAL_DAYS }, { clock, database, store }) => {
    const toHour = Math.floor(clock.nowMs() / HOUR_MS) + 1
    const fromHour = toHour - days * 24
    const deps = { database, store, signal: AbortSignal.timeout(LIMIT_MS) }
    const link = await readPortalLink(database.read)
    const portalKey = link?.portal_key ?? ''
    const deploymentId = link?.deployment_id ?? ''
    const reported = await readReported(database.read, { portalKey, deploymentId, fromHour })
    const counted = await readCounted(deps, { fromHour, toHour })
    const removed = await readCounted(deps, { fromHour, toHour, logs: 'removed' })
    const all = new Set([...counted.keys(), ...reported.own.keys(), ...reported.others.keys()])
    const hours = [...all]
      .filter((hour) => hour < toHour)
      .sort((a, b) => a - b)
      .map((hour) => {
        const { events, bytes } = counted.get(hour) ?? NONE
        const gone = removed.get(hour) ?? NONE
        const own = reported.own.get(hour) ?? NONE
        const before = reported.others.get(hour) ?? NONE
        return {
          ...{ hour: printHour(hour), events, bytes },
          ...{ removedEvents: gone.events, removedBytes: gone.bytes },
          reportedEvents: own.events + before.events,
          reportedBytes: own.bytes + before.bytes,
        }
      })
    return () => Promise.resolve({ from: printHour(fromHour), to: printHour(toHour), hours })
  },
)

function printHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString()
}
