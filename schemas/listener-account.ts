// The listener account (decisions 2.6, 3.1-3.8).
// An account is a row of immutable versions: a change makes the next version, and events carry the
// version they met.
import { z } from 'zod'
import type { Template } from './templates/template.ts'

/** What one version holds; kept as JSON in the database. */
export const accountSettingsSchema = z.object({
  description: z.string(),
  /** Levels from the root, at least one. */
  parentFolder: z.array(z.string()).min(1).readonly(),
  /** Id of the collection policy given to new logs. */
  policyId: z.number().int(),
  appTags: z.array(z.string()).readonly(),
  /** '' for none. */
  logNamePrefix: z.string(),
  /** How one log becomes many by the source device. */
  sourceSplit: z.enum(['none', 'source', 'mask']),
  maskBitsV4: z.number().int().min(0).max(32),
  maskBitsV6: z.number().int().min(0).max(128),
  /** First present key wins; default message, msg, log, event (decision 3.6). */
  messageKeys: z.array(z.string()).readonly(),
  /** Levels of Split by JSON Columns, last one is the log name; [] for none. */
  splitColumns: z.array(z.object({ key: z.string(), isHost: z.boolean() }).readonly()).readonly(),
  /** Tried before the standard time keys; null for none (decision 3.7). */
  timeKey: z.string().nullable(),
  /** IANA zone for times without a zone; null: the system's. */
  timeZone: z.string().nullable(),
  /** 0 none, 1 top level, n levels (decision 3.8). */
  jsonParsingLevel: z.number().int().min(0),
  /** Only this node takes its events; null or absent (older versions): every node. */
  listeningNode: z.string().nullable().optional(),
  /** Template of its lines of text, as it is spelled; '' or absent: none. */
  template: z.string().optional(),
  /** Patterns of its lines of text, before those of a template; [] or absent: none. */
  patterns: z.array(z.string()).readonly().optional(),
  /** A filter of the search language: events that it selects are not stored; '' or absent: none. */
  dropFilter: z.string().optional(),
  /** Of a hundred of the other events so many are stored; absent: all. */
  sampledPercent: z.number().min(0).max(100).optional(),
  /** Addresses and blocks from which its token is accepted; [] or absent: every one. */
  allowedAddresses: z.array(z.string()).readonly().optional(),
  /** Of one listener; 0 or absent: no limit. */
  maxEventsPerSecond: z.number().int().min(0).optional(),
  maxBytesPerSecond: z.number().int().min(0).optional(),
  /** Of all listeners together, by day of receipt in UTC; 0 or absent: no limit. */
  maxBytesPerDay: z.number().int().min(0).optional(),
  /** Rules of masking (schemas/masking/mask-rule.ts), in order; [] or absent: none. */
  maskRules: z.array(z.string()).readonly().optional(),
})

export type AccountSettings = Readonly<z.infer<typeof accountSettingsSchema>>

export type SourceSplit = AccountSettings['sourceSplit']

export type SplitColumn = AccountSettings['splitColumns'][number]

export type ListenerAccount = AccountSettings & {
  readonly id: number
  readonly version: number
  readonly name: string
  readonly isEnabled: boolean
  /** Those that its events meet (docs/decisions/0041), the first of a type counts; absent: the
   *  built-in ones. */
  readonly templates?: readonly Template[] | undefined
}
