// Versions of listener accounts as they are read from the database (decision 2.6).
import { Failure } from '../../../schemas/failures.ts'
import {
  type AccountSettings,
  accountSettingsSchema,
  type ListenerAccount,
} from '../../../schemas/listener-account.ts'
import type { Template } from '../../../schemas/templates/template.ts'
import type { DatabaseTransaction } from '../../database/port.ts'

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

/** `templates`: those that its events meet. */
export function accountFromRow(
  row: AccountVersionRow,
  templates?: readonly Template[],
): ListenerAccount {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    isEnabled: row.is_enabled === 1,
    ...readSettings(row.settings),
    ...(templates === undefined ? {} : { templates }),
  }
}

export function readSettings(json: string): AccountSettings {
  try {
    return accountSettingsSchema.parse(JSON.parse(json))
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}

/** Settings of all listener accounts that are not removed. */
export async function readCurrentSettings(
  transaction: Pick<DatabaseTransaction, 'selectFrom'>,
): Promise<AccountSettings[]> {
  const rows = await transaction
    .selectFrom('listener_accounts as a')
    .innerJoin('listener_account_versions as v', (join) =>
      join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select('v.settings')
    .where('a.removed_ms', 'is', null)
    .execute()
  return rows.map(({ settings }) => readSettings(settings))
}
