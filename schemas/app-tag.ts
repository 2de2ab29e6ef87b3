// What an app tag says beside its name, in one column of the database. Logs that were given it by
// name have it, too (docs/decisions/0043).
import { z } from 'zod'

const ids = z.array(z.number().int()).readonly().default([])

export const appTagSchema = z.object({
  description: z.string().default(''),
  /** Scope of a search without the word `in`; '' for none. Asked anew whenever a log is new. */
  sourceQuery: z.string().default(''),
  /** Members that were picked by hand: folders with all below them, logs, and all logs of listener
   *  accounts. */
  folders: ids,
  logs: ids,
  accounts: ids,
  /** Static parameters. */
  parameters: z.record(z.string(), z.string()).readonly().default({}),
  /** IANA zone; null for none. */
  timeZone: z.string().nullable().default(null),
})

export type AppTag = Readonly<z.infer<typeof appTagSchema>>

export type NamedAppTag = { readonly id: number; readonly name: string; readonly tag: AppTag }
