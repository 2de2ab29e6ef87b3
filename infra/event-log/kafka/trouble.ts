// What went wrong at a broker, by the protocol's own name for it; 'CONNECTION' when no answer came:
// the request may have been carried out or not.
import { Failure, type FailureCode } from '../../../schemas/failures.ts'

export class KafkaTrouble extends Error {
  override name = 'KafkaTrouble'
  /** E.g. NOT_ENOUGH_REPLICAS, ILLEGAL_GENERATION, CONNECTION, TIMEOUT, REFUSED_USER. */
  readonly code: string

  constructor(code: string, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

/** The member is not, or no longer, the one that may write positions. */
const FENCED = [
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
  'REBALANCE_IN_PROGRESS',
]
const MOVED_LEADER = [
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'REPLICA_NOT_AVAILABLE',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'OFFSET_NOT_AVAILABLE',
]
const MOVED_COORDINATOR = [
  'NOT_COORDINATOR_FOR_GROUP',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'GROUP_LOAD_IN_PROGRESS',
  'COORDINATOR_UNREACHABLE',
]
/** Not by the broker that was asked, or, of the last, not by the one that it named. */
const NO_ANSWER = ['CONNECTION', 'TIMEOUT', 'REFUSED_USER', 'COORDINATOR_UNREACHABLE']

export function isFenced(error: unknown): boolean {
  return hasCode(error, FENCED)
}

export function isMoved(error: unknown): boolean {
  return hasCode(error, MOVED_LEADER)
}

/** Over in a moment: a broker has just come or gone. */
export function isPassing(error: unknown): boolean {
  return isMoved(error) || isCoordinatorMoved(error)
}

export function isCoordinatorMoved(error: unknown): boolean {
  return hasCode(error, MOVED_COORDINATOR)
}

export function isNoAnswer(error: unknown): boolean {
  return hasCode(error, NO_ANSWER)
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof KafkaTrouble && codes.includes(error.code)
}

/** Errors of kafkajs are wrapped in each other; the innermost with a protocol name says what
 *  happened. */
export function toTrouble(error: unknown): KafkaTrouble {
  if (error instanceof KafkaTrouble) return error
  let name = ''
  let at: unknown = error
  for (let depth = 0; depth < 10 && at instanceof Error; depth += 1) {
    // What one request asked of several things is answered for each of them; we ask for one.
    if ('errors' in at && Array.isArray(at.errors)) at = at.errors[0]
    else if ('partitions' in at && Array.isArray(at.partitions)) at = at.partitions[0]?.error
    if (!(at instanceof Error)) break
    if ('type' in at && typeof at.type === 'string') return new KafkaTrouble(at.type, error)
    if (name === '' || at.name === 'KafkaJSSASLAuthenticationError') name = at.name
    at = at.cause
  }
  if (name === 'KafkaJSSASLAuthenticationError') return new KafkaTrouble('REFUSED_USER', error)
  if (name === 'KafkaJSServerDoesNotSupportApiKey') return new KafkaTrouble('OLD_BROKER', error)
  return new KafkaTrouble(name === 'KafkaJSRequestTimeoutError' ? 'TIMEOUT' : 'CONNECTION', error)
}

export function unavailable(error: unknown, code: FailureCode = 'event_log.unavailable'): Failure {
  return new Failure(code, {}, toTrouble(error))
}
