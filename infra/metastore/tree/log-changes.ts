// Logs that an operator makes and changes, inside the caller's write transaction.
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { type LogDefinition, logDefinitionSchema } from '../../../schemas/log-definition.ts'
import { LEVEL_SEPARATOR } from '../../../schemas/names/log-path.ts'
import type { Clock } from '../../clock.ts'
import type { LogRow, Tables } from '../../database/tables.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { findChildLog, requireFolder, requireLog } from './find-node.ts'
import type { FolderPlace } from './folder-changes.ts'
import { readLogDefinition } from './log-definitions.ts'

/** What is undefined stays as it is, or gets its default in a new log. */
export type LogChange = {
  readonly description?: string | undefined
  readonly policyId?: number | undefined
  readonly appTags?: readonly string[] | undefined
  readonly definition: { readonly [K in keyof LogDefinition]?: LogDefinition[K] | undefined }
}

export type ChangedLog = { readonly id: number; readonly definition: LogDefinition }

const DEFAULT_POLICY_ID = 1

/** One that was removed is there again, with the id it had and with its events. Fails with
 *  object.not_found (parent), object.exists, object.invalid (collection policy). */
export async function addLog(
  transaction: Transaction<Tables>,
  clock: Pick<Clock, 'nowMs'>,
  { parent, name }: FolderPlace,
  change: LogChange,
): Promise<ChangedLog> {
  const folderId = await requireFolder(transaction, parent)
  const known = await findChildLog(transaction, folderId, name)
  if (known?.removed_ms === null)
    throw new Failure('object.exists', {
      kind: 'log',
      name: [...parent, name].join(LEVEL_SEPARATOR),
    })
  if (known !== undefined) requireSamePolicy(known, change)
  const nowMs = clock.nowMs()
  const definition = logDefinitionSchema.parse(withoutUndefined(change.definition))
  const facts = {
    account_id: null,
    app_tags: JSON.stringify(change.appTags ?? []),
    type_words: '[]',
    received_hour: 0,
    made_ms: nowMs,
    changed: await raiseVersion(transaction, 'tree'),
    description: change.description ?? '',
    definition: JSON.stringify(definition),
    removed_ms: null,
    is_declared: 1,
  } as const
  if (known !== undefined) {
    await transaction.updateTable('logs').set(facts).where('id', '=', known.id).execute()
    return { id: known.id, definition }
  }
  const id = await takeIds(transaction, 'log', 1)
  const policy_id = change.policyId ?? DEFAULT_POLICY_ID
  await transaction
    .insertInto('logs')
    .values({ id, folder_id: folderId, name, policy_id, ...facts })
    .execute()
  return { id, definition }
}

/** Fails with object.not_found, object.invalid (collection policy). */
export async function changeLog(
  transaction: Transaction<Tables>,
  { parent, name }: FolderPlace,
  change: LogChange,
): Promise<ChangedLog> {
  const before = await requireLog(transaction, [...parent, name])
  requireSamePolicy(before, change)
  const definition = logDefinitionSchema.parse({
    ...readLogDefinition(before.definition),
    ...withoutUndefined(change.definition),
  })
  await transaction
    .updateTable('logs')
    .set({
      app_tags: change.appTags === undefined ? before.app_tags : JSON.stringify(change.appTags),
      changed: await raiseVersion(transaction, 'tree'),
      description: change.description ?? before.description,
      definition: JSON.stringify(definition),
      is_declared: 1,
    })
    .where('id', '=', before.id)
    .execute()
  return { id: before.id, definition }
}

/** Events lie by policy, and what is repeated after a crash is looked for there: a log that may
 *  have some keeps the one it has (docs/decisions/0036). */
function requireSamePolicy(log: LogRow, { policyId }: LogChange): void {
  if (policyId === undefined || policyId === log.policy_id) return
  throw new Failure('object.invalid', {
    kind: 'log',
    property: 'collectionPolicy',
    value: policyId,
    reason: 'a log keeps the collection policy with which it was first made',
  })
}

function withoutUndefined(given: LogChange['definition']): Partial<LogDefinition> {
  // Through JSON: it leaves out what is undefined.
  return JSON.parse(JSON.stringify(given))
}
