// Delivers messages: each process several at once, of one webhook few, so that a slow receiver
// holds up its own messages alone.
import { joinSignals } from '../../infra/join-signals.ts'
import { describeError } from '../../infra/logger.ts'
import type { PortalDeps } from '../deps.ts'
import { type Claimed, claimMessage, noteAttempt, releaseMessage } from './message-queue.ts'
import { type SendDeps, sendMessage } from './send-message.ts'

const LOOK_EVERY_MS = 1000
const AT_ONCE = 8
const AT_ONCE_OF_A_WEBHOOK = 2

export function startDeliveries(deps: SendDeps & Pick<PortalDeps, 'database' | 'logger'>): {
  stop(): Promise<void>
} {
  const { database, clock, logger } = deps
  const stopping = new AbortController()
  const onTheirWay = new Map<Promise<void>, string>()

  const deliver = async (claimed: Claimed): Promise<void> => {
    const tried = await sendMessage(claimed, deps, stopping.signal)
    await database.write((transaction) =>
      tried === undefined
        ? releaseMessage(transaction, claimed, clock.nowMs())
        : noteAttempt(transaction, claimed, tried, clock),
    )
  }

  /** False: none is due, or all that are have enough on their way. */
  const startNext = async (): Promise<boolean> => {
    const of = [...onTheirWay.values()]
    const count = (id: string) => of.filter((one) => one === id).length
    const busy = [...new Set(of)].filter((id) => count(id) >= AT_ONCE_OF_A_WEBHOOK)
    const due = database.read.selectFrom('webhook_messages').select('event_id').limit(1)
    let wanted = due.where('next_ms', '<=', clock.nowMs())
    if (busy.length > 0) wanted = wanted.where('webhook_id', 'not in', busy)
    if ((await wanted.executeTakeFirst()) === undefined) return false
    const claimed = await database.write((t) => claimMessage(t, busy, clock.nowMs()))
    if (claimed === undefined) return false
    const way = deliver(claimed)
      // Its claim ends, and it goes out again.
      .catch((error: unknown) => logger.warn('webhook not noted', describeError(error)))
      .finally(() => onTheirWay.delete(way))
    onTheirWay.set(way, claimed.webhook.id)
    return true
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        while (!stopping.signal.aborted && onTheirWay.size < AT_ONCE && (await startNext()));
      } catch (error) {
        logger.warn('webhooks wait', describeError(error))
      }
      const rest = new AbortController()
      const { signal, leave } = joinSignals([rest.signal, stopping.signal])
      await Promise.race([clock.sleep(LOOK_EVERY_MS, signal), ...onTheirWay.keys()])
      rest.abort()
      leave()
    }
    await Promise.all(onTheirWay.keys())
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
