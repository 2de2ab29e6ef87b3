// Deletion of events (docs/decisions/0085).
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue, pathValue } from '../values.ts'

const count = z.number()
const MAX_QUERY_CHARACTERS = 32_768

export const deleteData = {
  name: 'deleteData',
  help: 'Deletes events of a log: all that were received until now, those of a span of their times, or those that a query finds. From the answer on no search, count, completion, export or kept result has them; kept results of ALL searches and dashboards end. Within minutes they leave the store and its disk. It cannot be taken back. Counters of what was received stay. With dryRun it only counts.',
  operation: 'system.operate',
  sees: { kind: 'act' },
  target: 'log',
  input: z
    .strictObject({
      log: argument(pathValue, {
        description: 'folder path and log name',
        hint: 'Web->Edge->access',
      }),
      query: argument(
        z
          .string()
          .max(MAX_QUERY_CHARACTERS, `must have at most ${MAX_QUERY_CHARACTERS} characters`)
          .optional(),
        {
          description: 'a filter as in a search, without stages; default: all events',
          hint: '<query>',
        },
      ),
      startTime: argument(z.string().optional(), {
        description: 'time of the first event, as in a search; default: no begin',
        hint: '2026-03-01T00:00:00Z|-2h',
      }),
      endTime: argument(z.string().optional(), {
        description: 'events before this time; default: no end',
        hint: '2026-04-01T00:00:00Z|-1h',
      }),
      dryRun: argument(flagValue.optional(), {
        description: 'true: deletes nothing, and says how many it would delete',
        hint: 'true|false',
        isFlag: true,
      }),
    })
    .superRefine((input, context) => {
      if (input.log.length === 0)
        context.addIssue({ code: 'custom', path: ['log'], message: 'names no log' })
    }),
  answer: z.strictObject({
    /** Of the deletion, for listDeletions; null: a dry run. */
    number: count.nullable(),
    log: z.string(),
    /** Stored now; what is still on its way into the store is deleted with them. */
    events: count,
    /** 0 for users from whom a policy hides values. */
    bytes: count,
    /** Times of the first and the last of them. */
    from: z.string().nullable(),
    to: z.string().nullable(),
    /** Names of backups that may hold them. */
    backups: z.array(z.string()),
    /** Numbers of archives that may hold them; a thaw does not bring them back. */
    archives: z.array(count),
    notes: z.array(z.string()),
  }),
} as const satisfies CommandEntry
