// Names that definitions of logs show: of collection policies, and of listener accounts, also of
// removed ones.
import type { Kysely } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { readSettings } from '../accounts/account-settings.ts'

export type LogOrigins = {
  readonly policies: ReadonlyMap<number, string>
  readonly accounts: ReadonlyMap<
    number,
    { readonly name: string; readonly timeZone: string | null }
  >
}

export async function readLogOrigins(db: Kysely<Tables>): Promise<LogOrigins> {
  const policies = await db.selectFrom('collection_policies').select(['id', 'name']).execute()
  const accounts = await db
    .selectFrom('listener_accounts as a')
    .innerJoin('listener_account_versions as v', (join) =>
      join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select(['a.id', 'a.name', 'v.settings'])
    .execute()
  return {
    policies: new Map(policies.map(({ id, name }) => [id, name])),
    accounts: new Map(
      accounts.map(({ id, name, settings }) => [
        id,
        { name, timeZone: readSettings(settings).timeZone },
      ]),
    ),
  }
}
