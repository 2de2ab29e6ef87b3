// What every process of the portal does now and then: removals that may be done twice.
import { describeError } from '../../infra/logger.ts'
import type { PortalDeps } from '../deps.ts'
import { removeOldAnswers } from '../edge/idempotency.ts'
import { keepStatus } from '../license/status/keep-status.ts'
import { cleanAttachments } from '../offers/attachments/clean-attachments.ts'
import { tellExpiredOffers } from '../offers/put-offer-event.ts'
import { forgetOldMessages } from '../webhooks/forget-old.ts'

const EVERY_MS = 10 * 60_000
/** Looking through all files costs calls of a storage. */
const FILES_EVERY_MS = 6 * 3_600_000

export function startChores(deps: Omit<PortalDeps, 'serve'>): {
  stop(): Promise<void>
} {
  const { database, clock, logger } = deps
  const stopping = new AbortController()
  let filesMs = clock.elapsedMs()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await database
        .write((transaction) => removeOldAnswers(transaction, clock.nowMs()))
        .catch((error: unknown) => logger.warn('chores failed', describeError(error)))
      await database
        .write((transaction) => forgetOldMessages(transaction, clock.nowMs()))
        .catch((error: unknown) => logger.warn('chores failed', describeError(error)))
      await tellExpiredOffers(database, clock).catch((error: unknown) =>
        logger.warn('chores failed', describeError(error)),
      )
      await keepStatus({ database, clock, logger }, stopping.signal).catch((error: unknown) =>
        logger.warn('chores failed', describeError(error)),
      )
      if (clock.elapsedMs() - filesMs >= FILES_EVERY_MS) {
        filesMs = clock.elapsedMs()
        await cleanAttachments(deps, stopping.signal).catch((error: unknown) =>
          logger.warn('chores failed', describeError(error)),
        )
      }
      await clock.sleep(EVERY_MS, stopping.signal)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
