// What the running product says of the stored volume: its counters by the channel of the SDK, and
// the search as programs ask it; by a token of an administrator that lives for these calls.
import type { Clock } from '../infra/clock.ts'
import type { Config } from '../infra/config-schema.ts'
import { addressOfProduct } from '../infra/doctor/running-product.ts'
import type { CountedHour } from '../infra/heartbeat/compare-volumes.ts'
import type { Amount } from '../infra/heartbeat/reported-hours.ts'
import { addApiToken, removeApiToken } from '../infra/metastore/access/api-tokens.ts'
import type { OpenedMetastore } from '../infra/metastore/open.ts'
import { Failure } from '../schemas/failures.ts'
import { usage } from '../schemas/sdk/lifecycle/usage.ts'
import { compileDateFormat } from '../schemas/time/date-format.ts'
import { localToUtcMs } from '../schemas/time/local-time.ts'

const HOUR_MS = 3_600_000
const TOKEN_MS = 600_000
const CALL_MS = 120_000
/** Until each process of the product knows the token. */
const TRIES = 20
const PAUSE_MS = 250

type Deps = {
  readonly metastore: OpenedMetastore
  readonly config: Config
  readonly clock: Clock
  readonly days: number
  readonly user: string
}

export async function askVolumes(deps: Deps) {
  const { metastore, clock } = deps
  if (!metastore.isSecurityOn()) return await ask(deps, undefined)
  const user = await metastore.users.find(deps.user)
  if (user?.isEnabled !== true || !user.isAdministrator)
    throw new Failure('start.refused', {
      reason: `${deps.user} is no administrator that may sign in: name one with --user`,
    })
  const name = `reconcile ${clock.randomBytes(6).toString('hex')}`
  const { database } = metastore
  const endsMs = clock.nowMs() + TOKEN_MS
  const token = await database.write((transaction) =>
    addApiToken(transaction, clock, { userId: user.id, name, endsMs, policy: undefined }),
  )
  try {
    return await ask(deps, token)
  } finally {
    await database.write((transaction) => removeApiToken(transaction, user.id, name))
  }
}

async function ask({ metastore, config, clock, days }: Deps, token: string | undefined) {
  const base = addressOfProduct(config)
  const send = async (path: string, contentType: string, body: string): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: {
          'content-type': contentType,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body,
        signal: AbortSignal.timeout(CALL_MS),
      })
      const text = await answer.text()
      if (answer.ok) return text
      if (answer.status !== 401 || tries >= TRIES)
        throw new Failure('start.refused', {
          reason: `the product answers ${answer.status} to ${path}`,
        })
      await clock.sleep(PAUSE_MS)
    }
  }
  const json = await send('/logeye/sdk/usage', 'application/json', `{"days":"${days}"}`)
  const { from, to, hours } = usage.answer.parse(Object(JSON.parse(json)).response)
  const search = new URLSearchParams({
    ...{ widgetId: 'searchAPI', searchQuery: '* | datastream received | interval 1 hour' },
    ...{ resultFormat: 'json', startTime: from, endTime: to, timeZone: 'UTC' },
    maxNumOfRecords: String(days * 24 + 24),
  })
  const form = 'application/x-www-form-urlencoded'
  const lines = await send('/logeye/view/api/widgetAPI.jsp', form, search.toString())
  return {
    window: { fromHour: Date.parse(from) / HOUR_MS, toHour: Date.parse(to) / HOUR_MS },
    hours: hours.map(
      (row): CountedHour => ({
        hour: Date.parse(row.hour) / HOUR_MS,
        counted: { events: row.events, bytes: row.bytes },
        removed: { events: row.removedEvents, bytes: row.removedBytes },
        reported: { events: row.reportedEvents, bytes: row.reportedBytes },
      }),
    ),
    received: readFlow(lines, metastore.setting('system.dateFormat')),
  }
}

/** Lines of `{"time", "events", "volume"}`; hours without events are left out. */
function readFlow(lines: string, dateFormat: string): ReadonlyMap<number, Amount> {
  const format = compileDateFormat(dateFormat)
  const hours = new Map<number, Amount>()
  for (const line of lines.split('\n').filter((text) => text !== '')) {
    const row: Readonly<Record<string, unknown>> = Object(JSON.parse(line))
    const local = format.parse(String(row.time))?.local
    if (local === undefined)
      throw new Failure('start.refused', {
        reason: 'what the product answers to a search is no table of datastream',
      })
    const amount = { events: Number(row.events), bytes: Number(row.volume) }
    if (amount.events > 0) hours.set(localToUtcMs(local) / HOUR_MS, amount)
  }
  return hours
}
