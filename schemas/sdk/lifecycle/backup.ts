// Makes a backup of the embedded engines (docs/decisions/0048).
import { z } from 'zod'
import { argument, type CommandEntry } from '../argument.ts'
import { flagValue } from '../values.ts'

const backupAnswer = z.strictObject({
  name: z.string(),
  state: z.enum(['asked', 'running', 'done', 'failed']),
  dryRun: z.boolean(),
  directory: z.string(),
  asked: z.string(),
  /** Null while it is made. */
  ended: z.string().nullable(),
  files: z.number(),
  /** Copied so far; with -dryRun: that would be. */
  bytes: z.number(),
  /** Stored ones. */
  events: z.number(),
  /** Blocks of the event log that were not stored yet. */
  blocks: z.number(),
  /** Why it failed. */
  reason: z.string(),
})
export type BackupAnswer = z.infer<typeof backupAnswer>

export const backup = {
  name: 'backup',
  help: 'Makes a backup of the embedded engines on the machine of the product, as of one moment, while events are taken in. It is brought back with `logeye restore`. A backup that takes longer than 20 s goes on; -list tells how it is.',
  operation: 'system.operate',
  sees: { kind: 'nothing', because: 'the place and the key of backups are process configuration' },
  target: 'name',
  input: z
    .strictObject({
      name: argument(
        z
          .string()
          .regex(
            /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
            'must be 1 to 64 letters, digits, - and _, and begin with a letter or digit',
          )
          .optional(),
        {
          description: 'name of its directory in LOGEYE_BACKUP_DIR; default the time of the call',
          hint: '<name>',
        },
      ),
      dryRun: argument(flagValue.optional(), {
        description: 'only tells what it would take, and whether there is room',
        hint: 'true|false',
        isFlag: true,
      }),
      list: argument(flagValue.optional(), {
        description: 'makes none; tells of the last ones',
        hint: 'true|false',
        isFlag: true,
      }),
    })
    .refine(({ list, name, dryRun }) => list !== true || (name ?? dryRun) === undefined, {
      path: ['list'],
      message: 'not together with another argument',
    }),
  answer: z.union([backupAnswer, z.strictObject({ backups: z.array(backupAnswer) })]),
} as const satisfies CommandEntry
