// Listener accounts: which events they take, into which folder, and what they hide and drop.
import { readSettings } from '../accounts/account-settings.ts'
import type { EventNodes } from './event-nodes.ts'
import type { Concern, PathEntry, ReadPaths } from './port.ts'

export const readListenerPaths: ReadPaths = async (transaction, nodes) => {
  const rows = await transaction
    .selectFrom('listener_accounts as a')
    .innerJoin('listener_account_versions as v', (join) =>
      join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select(['a.id', 'a.name', 'a.token_hash', 'a.old_token_hash', 'a.is_enabled'])
    .select(['a.removed_ms', 'v.settings'])
    .execute()
  const state = new Map<string, PathEntry>()
  for (const { id, name, settings: json, removed_ms, ...row } of rows) {
    const { description: _, ...settings } = readSettings(json)
    const tokens = [row.token_hash, row.old_token_hash]
    state.set(`listener ${id}`, {
      mark: JSON.stringify([settings, tokens, row.is_enabled, removed_ms !== null]),
      name: `the listener account ${name}`,
      ...(removed_ms === null ? { object: name } : {}),
      concerns: () => [belowFolder(settings.parentFolder, 'edit'), ...logsOf(id, nodes)],
    })
  }
  return state
}

/** A sender chooses the log, and folders on the way to it. */
export function belowFolder(levels: readonly string[], asks: 'view' | 'edit'): Concern {
  return { kind: 'place', place: { kind: 'folder', levels }, asks }
}

function logsOf(accountId: number, { logs }: EventNodes): Concern[] {
  return [...logs.values()]
    .filter((log) => log.accountId === accountId)
    .map(({ id }) => ({ kind: 'node', node: { kind: 'log', id }, asks: 'edit' }))
}
