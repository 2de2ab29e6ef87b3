// A dry run of rules of masking on stored events.
import { z } from 'zod'
import { maskRulesValue } from '../../masking/mask-rules-value.ts'
import { accountName } from '../account.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { momentValue, wholeNumberValue } from '../values.ts'

export const verifyMask = {
  name: 'verifyMask',
  help: 'Shows what rules of masking would hide in stored events of a listener account, of the logs that you may view. Nothing is changed.',
  operation: 'data.listeners',
  sees: {
    kind: 'nothing',
    because: 'it shows events that the caller may view and nothing is hidden from',
  },
  target: 'listener',
  input: z.strictObject({
    listener: accountName,
    maskRules: argument(maskRulesValue.optional(), {
      description: 'rules as of addListener; default those of the account',
      hint: 'hash email@#@#cut column user.password',
    }),
    from: argument(momentValue.optional(), {
      description: 'only events received from then on; default a day ago',
      hint: '2026-03-01T00:00:00Z',
    }),
    to: argument(momentValue.optional(), {
      description: 'only events received before then; default now',
      hint: '2026-03-02T00:00:00Z',
    }),
    limit: argument(wholeNumberValue(1, 10_000).optional(), {
      description: 'events at most, the newest; default 1000',
      hint: '1-10000',
    }),
  }),
  answer: z.strictObject({
    /** Looked at. */
    events: z.number(),
    /** Of which something would be hidden. */
    masked: z.number(),
    /** Values that each rule would hide. */
    rules: z.array(z.strictObject({ rule: z.string(), values: z.number() })),
    /** The first events of which something would be hidden, cut around it. */
    examples: z.array(z.strictObject({ log: z.string(), before: z.string(), after: z.string() })),
  }),
} as const satisfies CommandEntry
