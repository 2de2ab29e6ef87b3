// Takes rejected events in again (decision 8.4).
import { z } from 'zod'
import { argument, type CommandEntry } from './argument.ts'
import { flagValue, momentValue, textValue, wholeNumberValue } from './values.ts'

export const replayRejected = {
  name: 'replayRejected',
  help: 'Takes events of System->rejected in again, each at most once. They stay there as well; what would be rejected again is counted by its reason.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'reason',
  input: z.strictObject({
    reason: argument(textValue.optional(), {
      description: 'only events that were rejected for this; default any',
      hint: 'too_large',
    }),
    account: argument(textValue.optional(), {
      description: 'only events of this listener account, spelled as it is; default any',
      hint: '<name>',
    }),
    from: argument(momentValue.optional(), {
      description: 'only events received from then on',
      hint: '2026-03-01T00:00:00Z',
    }),
    to: argument(momentValue.optional(), {
      description: 'only events received before then',
      hint: '2026-03-02T00:00:00Z',
    }),
    limit: argument(wholeNumberValue(1, 100_000).optional(), {
      description: 'events at most in this call; default 10000, call again for more',
      hint: '1-100000',
    }),
    dryRun: argument(flagValue.optional(), {
      description: 'only tells what would be taken in',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({
    /** Looked at by this call. */
    found: z.number(),
    /** Sent, or with -dryRun: that would be. */
    replayed: z.number(),
    /** By an earlier call. */
    replayedBefore: z.number(),
    /** By the reason for which they would be rejected again. */
    rejectedAgain: z.record(z.string(), z.number()),
    /** Begun by a call that broke off more than a day ago: whether they are stored is not known. */
    undecided: z.number(),
    /** There are more: call again. */
    more: z.boolean(),
    dryRun: z.boolean(),
  }),
} as const satisfies CommandEntry
