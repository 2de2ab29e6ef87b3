// What an operator says of a log beside its name and description, in one column of
// the database.
import { z } from 'zod'

export const logDefinitionSchema = z.object({
  /** How a line becomes columns; the first that fits counts. */
  patterns: z.array(z.string()).readonly().default([]),
  /** Files that it is to be read from. */
  filePaths: z.array(z.string()).readonly().default([]),
  /** Account of the address book that reaches them; '' for this machine. */
  account: z.string().default(''),
  /** Windows Event Log; '' for none. */
  unc: z.string().default(''),
  /** '' for none. */
  template: z.string().default(''),
  /** Of the files; null: UTF-8. */
  charSet: z.string().nullable().default(null),
  /** IANA zone of times that name none; null: the listener account's, else the system's. */
  timeZone: z.string().nullable().default(null),
  /** A filter of the search language; '' for none. */
  dataFilterQuery: z.string().default(''),
})

export type LogDefinition = Readonly<z.infer<typeof logDefinitionSchema>>

/** Several paths or patterns in one text. */
export const ENTRY_SEPARATOR = '@#@#'

/** What makes events of the files of one log: kept in versions that never change, so that a batch
 *  of the writer that is made again has the same rows (docs/decisions/0094). */
export const collectSourceSchema = z.object({
  /** Levels from the root. */
  folder: z.array(z.string()).readonly(),
  name: z.string(),
  policyId: z.number().int(),
  patterns: z.array(z.string()).readonly(),
  /** '' for none. */
  template: z.string(),
  /** IANA zone of times that name none; null: the system's. */
  timeZone: z.string().nullable(),
  /** As the Encoding Standard names it; null: UTF-8. */
  charSet: z.string().nullable(),
  /** A filter of the search language; '' for none. */
  filter: z.string(),
})

export type CollectSource = Readonly<z.infer<typeof collectSourceSchema>>
