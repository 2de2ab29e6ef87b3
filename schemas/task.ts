// Tasks: what collects later, by a schedule. What they say beside name and description lies in one
// column of the database.
import { z } from 'zod'

const common = {
  /** As cron writes it; '' for never by itself. */
  cron: z.string(),
}

export const TASK_SETTINGS = {
  scan: z.object({
    ...common,
    directory: z.string(),
    /** Of the address book; '' for this machine. */
    account: z.string(),
    /** Folder of the logs that it makes; [] is the root. */
    parentFolder: z.array(z.string()).readonly(),
    policyId: z.number().int(),
    appTags: z.array(z.string()).readonly(),
    /** '' for none. */
    template: z.string(),
    /** Names of files, `*` and `?` in them; [] for all. */
    include: z.array(z.string()).readonly(),
    exclude: z.array(z.string()).readonly(),
    /** Levels below the directory; null for all. */
    scanLevel: z.number().int().nullable(),
  }),
  syncLog: z.object({
    ...common,
    /** The file as it was given, read by query/sdk/tasks/read-sync-configuration.ts. */
    configuration: z.string(),
    /** Accounts of the address book that the file names. */
    accounts: z.array(z.string()).readonly(),
    /** Null: any. */
    assignedNode: z.string().nullable(),
  }),
} as const

export type TaskKind = keyof typeof TASK_SETTINGS
export type TaskSettings<K extends TaskKind> = Readonly<z.infer<(typeof TASK_SETTINGS)[K]>>

export const TASK_KINDS: Readonly<Record<TaskKind, string>> = {
  scan: 'scan task',
  syncLog: 'log sync task',
}

export function isTaskKind(kind: string): kind is TaskKind {
  return Object.hasOwn(TASK_KINDS, kind)
}
