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
  query: z.object({
    ...common,
    /** Database account of the address book. */
    account: z.string(),
    /** SQL, with `:mark` where the mark goes. */
    query: z.string(),
    markColumn: z.string(),
    /** Rows with a larger one are read by the first run. */
    firstMark: z.string(),
    /** '' for the time of receipt. */
    timeColumn: z.string(),
    /** '' for the whole row. */
    messageColumn: z.string(),
    /** Levels from the root, the log's name last. */
    log: z.array(z.string()).readonly(),
    /** Number of its account, query and mark column: marks of other numbers are none. */
    generation: z.number().int().default(0),
    /** The highest number so far: none is given twice. */
    generations: z.number().int().default(0),
  }),
} as const

/** What becomes of the mark when a query task is changed. */
export const MARK_WISHES = ['keep', 'anew'] as const
export type MarkWish = (typeof MARK_WISHES)[number]

export type TaskKind = keyof typeof TASK_SETTINGS
export type TaskSettings<K extends TaskKind> = Readonly<z.infer<(typeof TASK_SETTINGS)[K]>>

export const TASK_KINDS: Readonly<Record<TaskKind, string>> = {
  scan: 'scan task',
  syncLog: 'log sync task',
  query: 'query task',
}

export function isTaskKind(kind: string): kind is TaskKind {
  return Object.hasOwn(TASK_KINDS, kind)
}

/** What the file of a log sync task says (product facts 12), when it was read. */
export type SyncChecksum = {
  readonly algorithm: 'MD5' | 'SHA-1'
  /** Copies are read again and compared so often. */
  readonly intervalMs: number
  /** Copied again so often when the copy is not what was read. */
  readonly retry: number
}

export type SyncDirectory = {
  readonly directory: string
  /** Names with `*` and `?`; [] for all. */
  readonly directoriesToInclude: readonly string[]
  readonly directoriesToExclude: readonly string[]
  readonly filesToInclude: readonly string[]
  readonly filesToExclude: readonly string[]
  /** Levels below the directory; null for all. */
  readonly scanLevel: number | null
}

export type SyncNode = {
  /** Below the repository. */
  readonly directory: string
  /** Of the address book; '' for this machine. */
  readonly account: string
  readonly checksum: SyncChecksum | null
  readonly directories: readonly SyncDirectory[]
}

export type SyncPlan = {
  readonly repository:
    | { readonly folder: string }
    /** S3 account of the address book, and the begin of the keys. */
    | { readonly account: string; readonly prefix: string }
  /** Days after its last change that a file is kept; null: as long as it is there. */
  readonly timeToKeep: number | null
  readonly nodes: readonly SyncNode[]
}

/** `s3://<account of the address book>/<begin of the keys>`. */
export const BUCKET_REPOSITORY = /^s3:\/\/([^/]+)(?:\/(.*))?$/
