// What one version of a listener account holds, as kept in the database (decision 2.6).
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'

export const accountSettingsSchema = z.object({
  description: z.string(),
  parentFolder: z.array(z.string()).min(1),
  policyId: z.number().int(),
  appTags: z.array(z.string()),
  logNamePrefix: z.string(),
  sourceSplit: z.enum(['none', 'source', 'mask']),
  maskBitsV4: z.number().int().min(0).max(32),
  maskBitsV6: z.number().int().min(0).max(128),
  messageKeys: z.array(z.string()),
  splitColumns: z.array(z.object({ key: z.string(), isHost: z.boolean() })),
  timeKey: z.string().nullable(),
  timeZone: z.string().nullable(),
  jsonParsingLevel: z.number().int().min(0),
})

export type AccountSettings = Readonly<z.infer<typeof accountSettingsSchema>>

export const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = {
  description: '',
  parentFolder: ['Events'],
  policyId: 1,
  appTags: [],
  logNamePrefix: '',
  sourceSplit: 'none',
  maskBitsV4: 24,
  maskBitsV6: 64,
  messageKeys: ['message', 'msg', 'log', 'event'],
  splitColumns: [],
  timeKey: null,
  timeZone: null,
  jsonParsingLevel: 3,
}

export type AccountVersionRow = {
  readonly id: number
  readonly name: string
  readonly version: number
  readonly settings: string
  readonly is_enabled: number
}

export function accountFromRow(row: AccountVersionRow): ListenerAccount {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    isEnabled: row.is_enabled === 1,
    ...readSettings(row.settings),
  }
}

export function readSettings(json: string): AccountSettings {
  try {
    return accountSettingsSchema.parse(JSON.parse(json))
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
