// Lists, acknowledges and mutes alerts.
import { z } from 'zod'
import { untilValue } from '../../monitors/monitor-values.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue, wholeNumberValue } from '../values.ts'

const ALERT_STATES = ['open', 'closed', 'all'] as const

export const alerts = {
  name: 'alerts',
  help: 'Lists the alerts of own monitors, with system.alerts of all; newest first. With -id of one alone, with its rows and what was told of it; -acknowledge true says that somebody sees to it: it is told no more; -muteUntil mutes it.',
  operation: 'data.monitors',
  otherOperation: 'system.alerts',
  sees: { kind: 'nothing', because: 'it changes alerts that the caller may read' },
  target: 'id',
  input: z.strictObject({
    state: argument(z.enum(ALERT_STATES, `must be one of ${ALERT_STATES.join(', ')}`).optional(), {
      description: 'default open',
      hint: ALERT_STATES.join('|'),
    }),
    id: argument(wholeNumberValue(1, 999_999_999).optional(), {
      description: 'of one alert',
      hint: '<number>',
    }),
    acknowledge: argument(flagValue.optional(), {
      description: 'true: told no more while it is open; false: not acknowledged any more',
      hint: 'true|false',
      isFlag: true,
    }),
    muteUntil: argument(untilValue.optional(), {
      description: 'a moment, or how long from now; empty: not muted any more',
      hint: '2h|2026-03-01T00:00:00Z',
    }),
    limit: argument(wholeNumberValue(1, 1000).optional(), {
      description: 'default 100',
      hint: '1-1000',
    }),
  }),
  answer: z.strictObject({
    alerts: z.array(
      z.strictObject({
        id: z.number(),
        monitor: z.string(),
        /** '' where the monitor has no groups, or where it is hidden. */
        group: z.string(),
        severity: z.string(),
        state: z.string(),
        opened: z.string(),
        lastFailed: z.string(),
        closed: z.string().nullable(),
        /** Null where it is hidden. */
        count: z.number().nullable(),
        /** The caller may not see all of what group, count and rows were made of. */
        isHidden: z.boolean(),
        query: z.string(),
        /** That opened it; '' of one that was opened before rules were kept. */
        rule: z.string(),
        acknowledgedBy: z.string().nullable(),
        mutedUntil: z.string().nullable(),
        /** Epoch milliseconds; null for an open side. */
        window: z.strictObject({ startMs: z.number().nullable(), endMs: z.number().nullable() }),
      }),
    ),
    /** Of the one. */
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    /** Where the rows are events: when each was, ISO 8601 in UTC; else empty. */
    times: z.array(z.string()),
    messages: z.array(
      z.strictObject({
        event: z.string(),
        target: z.string(),
        /** `gathered` for the digest of the target, `pending`, `delivered`, `failed`. */
        state: z.string(),
        attempts: z.array(
          z.strictObject({
            at: z.string(),
            /** `taken`, `unknown`, or why not. */
            result: z.string(),
            status: z.number().nullable(),
          }),
        ),
      }),
    ),
  }),
} as const satisfies CommandEntry
