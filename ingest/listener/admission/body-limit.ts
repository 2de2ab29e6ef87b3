// A body becomes part of one block: one that fits in no block is refused before it is read, and the
// answer says the limit that counts.
import type { Logger } from '../../../infra/logger.ts'

/** Of a block beside the body of its one request, with a single event. */
const ROOM_BYTES = 4096

export function bodyLimitOf(
  limits: { readonly maxBodyBytes: number },
  { maxBlockBytes }: { readonly maxBlockBytes: number },
  logger: Pick<Logger, 'warn'>,
): number {
  const most = maxBlockBytes - ROOM_BYTES
  if (limits.maxBodyBytes <= most) return limits.maxBodyBytes
  logger.warn('bodies are limited by the blocks of the event log', {
    configuredBodyBytes: limits.maxBodyBytes,
    maxBodyBytes: most,
    maxBlockBytes,
  })
  return most
}
