// A clock that stands until a test moves it, for a portal whose chores and deliveries work by
// turns: a test moves it when they sleep, and waits until they sleep again.
import { type ManualClock, makeManualClock } from '../run/manual-clock.ts'
import { TEST_DATE_MS } from '../run/test-clock.ts'
import { waitUntil } from '../run/wait-until.ts'
import type { TestPortal } from './portal-place.ts'

/** As portal/operation/chores.ts sleeps. */
export const CHORES_EVERY_MS = 10 * 60_000
/** As deliveries of messages and mails sleep. */
export const LOOK_EVERY_MS = 1000

export type PortalClock = ManualClock & {
  /** Resolves when the chores have done what was due. */
  choresSleep(): Promise<void>
}

/** For one process of the portal: its chores are known by how long they sleep. */
export function makePortalClock(startMs = TEST_DATE_MS): PortalClock {
  const clock = makeManualClock(startMs)
  let choresWakeAtMs = 0
  const areChoresAsleep = () => choresWakeAtMs > clock.elapsedMs()
  return {
    ...clock,
    sleep: (ms, signal) => {
      if (ms === CHORES_EVERY_MS) choresWakeAtMs = clock.elapsedMs() + ms
      return clock.sleep(ms, signal)
    },
    choresSleep: async () => void (await waitUntil('the chores sleep', areChoresAsleep)),
  }
}

type Due = { readonly state: string; readonly nextMs: number | null }

/** Wakes the deliveries where a message is due and nobody has claimed it. A clock that moves
 *  while a message is on its way ends its claim, and the message goes out twice. */
export function wakeFor(messages: readonly Due[], clock: ManualClock): void {
  const waiting = messages.filter(({ state }) => state === 'pending')
  if (waiting.length === 0) return
  if (waiting.every(({ nextMs }) => nextMs !== null && nextMs <= clock.nowMs()))
    clock.advance(LOOK_EVERY_MS)
}

/** Afterwards the chores have run, if they were due, and all messages that are due have arrived. */
export async function letPass(portal: TestPortal, clock: PortalClock, ms: number): Promise<void> {
  await clock.choresSleep()
  await deliverAll(portal, clock)
  clock.advance(ms)
  await clock.choresSleep()
  await deliverAll(portal, clock)
}

/** Until no message of any webhook waits or is on its way. */
async function deliverAll(portal: TestPortal, clock: ManualClock): Promise<void> {
  await waitUntil('no message waits', async () => {
    const rows = await portal.database.read
      .selectFrom('webhook_messages')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_messages.webhook_id')
      .select(['webhook_messages.state', 'webhook_messages.next_ms'])
      .where('webhooks.disabled_by', 'is', null)
      .where('webhook_messages.state', '=', 'pending')
      .execute()
    wakeFor(
      rows.map(({ state, next_ms }) => ({ state, nextMs: next_ms })),
      clock,
    )
    return rows.length === 0
  })
}
