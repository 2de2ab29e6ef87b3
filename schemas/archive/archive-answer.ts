// How an archive is told.
import { z } from 'zod'

const count = z.number()
const moment = z.string().nullable()

export const archiveAnswer = z.strictObject({
  number: count,
  policy: z.string(),
  /** Of receipt, UTC. */
  day: z.string(),
  /** asked: it is written within a minute, or was tried (`fault`); done: whole and read back;
   *  removing: its objects go. */
  state: z.enum(['asked', 'writing', 'done', 'removing']),
  isForeign: z.boolean(),
  events: count,
  /** Of the events as received. */
  bytes: count,
  /** Names of logs with events in it, without those that the caller may not view. */
  logs: z.array(z.string()),
  account: z.string(),
  directory: z.string(),
  /** Of its objects there: `<day>/<entry>`. */
  entry: z.string(),
  writtenAt: moment,
  /** When the day left the store; null: it is still there, too. */
  droppedAt: moment,
  verifiedAt: moment,
  /** What the last try or check said; '' for nothing. */
  fault: z.string(),
  thaw: z
    .strictObject({
      state: z.enum(['asked', 'loading', 'thawed', 'ending']),
      until: z.string(),
      events: count,
      fault: z.string(),
    })
    .nullable(),
})
