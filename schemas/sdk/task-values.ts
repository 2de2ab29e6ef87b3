// What the commands for tasks have in common.
import { z } from 'zod'
import { parseCron } from '../time/cron.ts'
import { objectNameSchema } from '../users.ts'
import { argument } from './argument.ts'
import { cronValue } from './policy-values.ts'
import { flagValue, listValue, textValue, wholeNumberValue } from './values.ts'

export const MAX_SCAN_LEVEL = 100

/** Days of a month that are in every year or in leap years. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** One that comes some day; '' for never by itself. */
const taskCronValue = cronValue.refine((text) => text === '' || comesSomeDay(text), {
  message: 'names a day that no month has',
})

function comesSomeDay(text: string): boolean {
  const cron = parseCron(text)
  if (cron === undefined) return false
  const firstDay = Math.min(...cron.days)
  return cron.isEitherDay || [...cron.months].some((it) => firstDay <= (MONTH_DAYS[it - 1] ?? 0))
}

export const taskNameArgument = argument(objectNameSchema, {
  description: 'name of the task; letter case does not tell two apart',
  hint: '<name>',
})

/** Of every kind. */
export const taskArguments = {
  cron: argument(taskCronValue.optional(), {
    description: "when it runs, as cron writes it, in the system's zone; empty for never by itself",
    hint: '0 1 * * *',
  }),
  description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
  enabled: argument(flagValue.optional(), {
    description: 'whether its schedule counts; default true',
    hint: 'true|false',
    isFlag: true,
  }),
  update: argument(flagValue.optional(), {
    description: 'true: changes the task of this name; what is not given stays',
    hint: 'true|false',
    isFlag: true,
  }),
} as const

export const taskAnswer = z.strictObject({
  name: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
  /** The next five by the schedule, in the system's zone. */
  nextRuns: z.array(z.string()),
  /** What of it has no effect yet. */
  notes: z.array(z.string()),
})

/** '' is all levels. */
export const scanLevelValue = z.string().transform((text, context): number | null => {
  if (text.trim() === '') return null
  const level = wholeNumberValue(0, MAX_SCAN_LEVEL).safeParse(text.trim())
  if (level.success) return level.data
  context.addIssue({ code: 'custom', message: level.error.issues[0]?.message ?? 'is not accepted' })
  return z.NEVER
})

/** A directory, here or where the account leads; no step upwards. */
export const directoryValue = textValue
  .transform((text) => text.trim())
  .superRefine((text, context) => {
    const reason = directoryFault(text)
    if (reason !== undefined) context.addIssue({ code: 'custom', message: reason })
  })

export function directoryFault(text: string): string | undefined {
  if (text === '') return 'must not be empty'
  return text.split(/[/\\]/).includes('..') ? 'must hold no ..' : undefined
}

/** Of this machine: from its root. */
export function isWholePath(text: string): boolean {
  return /^(?:\/|\\\\|[A-Za-z]:[/\\])/.test(text)
}

/** Names of files with `*` and `?`, not paths. */
export const fileNamesValue = listValue.refine((names) => !names.some((it) => /[/\\]/.test(it)), {
  message: 'must be names of files, without / and \\',
})

/** How a run of a task went, or goes. */
export const taskRunAnswer = z.strictObject({
  task: z.string(),
  run: z.number(),
  state: z.enum(['asked', 'running', 'done', 'failed']),
  cause: z.enum(['asked', 'schedule']),
  asked: z.string(),
  /** Null: not yet. */
  begun: z.string().nullable(),
  ended: z.string().nullable(),
  /** Found in the directory. */
  files: z.number(),
  newLogs: z.number(),
  /** Read during the run. */
  bytes: z.number(),
  events: z.number(),
  /** Of a log sync task: files copied, copies removed, and copies that had become others. */
  copied: z.number(),
  removed: z.number(),
  damaged: z.number(),
  /** Not read yet. */
  behindBytes: z.number(),
  bytesPerSecond: z.number(),
  /** Why it failed, or what could not be read. */
  reason: z.string(),
})
