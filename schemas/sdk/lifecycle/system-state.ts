// How much comes in, waits and is searched, and what the processes take.
import { z } from 'zod'
import { ONLY_READS } from '../../rights/sees.ts'
import type { CommandEntry } from '../argument.ts'

const amount = z.number().min(0)
/** Null: no process says it, or not yet. */
const maybe = amount.nullable()

export const systemState = {
  name: 'systemState',
  help: 'Shows how much the machine that answers has received, what waits to be searchable, the searches that run, and what its processes take.',
  operation: 'system.operate',
  sees: ONLY_READS,
  target: '',
  input: z.strictObject({}),
  answer: z.strictObject({
    /** Of the machine that answers. */
    node: z.string(),
    /** ISO 8601. */
    asOf: z.string(),
    /** Since its processes started. */
    events: z.strictObject({ received: amount, rejected: amount, stored: amount }),
    receivedBytes: amount,
    /** In the event log, and not searchable yet; the age is that of the oldest event. */
    waiting: z.strictObject({ bytes: amount, seconds: amount }),
    searches: z.strictObject({ running: amount, queued: amount, ended: amount }),
    /** Live tails that are open. */
    tails: amount,
    /** Of the data directory. */
    disk: z.strictObject({ freeBytes: maybe, bytes: maybe }),
    processes: z.array(
      z.strictObject({
        name: z.string(),
        roles: z.array(z.string()),
        /** Parts of it that are not ready; none: it works. */
        notReady: z.array(z.string()),
        /** ISO 8601. */
        started: z.string().nullable(),
        /** Resident. */
        memoryBytes: maybe,
        /** Of one processor, since it started: 1 is one that is always busy. */
        processors: maybe,
        openFiles: maybe,
        /** What 99 of 100 turns of its event loop take less than. */
        loopSeconds: maybe,
      }),
    ),
  }),
} as const satisfies CommandEntry
