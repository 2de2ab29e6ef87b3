// addAppTag: makes an app tag, or with -update changes one.
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { requireAccountId } from '../../../../infra/metastore/accounts/listener-accounts.ts'
import { type AppTagChange, addTag, changeTag } from '../../../../infra/metastore/tags/app-tags.ts'
import { requireFolder, requireLog } from '../../../../infra/metastore/tree/find-node.ts'
import { Failure } from '../../../../schemas/failures.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { addAppTag as published } from '../../../../schemas/sdk/tree/add-app-tag.ts'
import { findSourceFault, readTagQuery } from '../../../configuration/source-scope.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addAppTag = serveCommand(
  published,
  async (input, { requireVisible, requireVisibleTag, objects }) => {
    const { name, update, sourceQuery = '' } = input
    const fault = sourceQuery.trim() === '' ? undefined : findSourceFault(sourceQuery)
    if (fault !== undefined)
      throw new Failure('sdk.argument', { argument: 'sourceQuery', reason: fault })
    for (const levels of input.folders ?? []) await requireVisible({ kind: 'folder', levels })
    for (const levels of input.logs ?? []) await requireVisible({ kind: 'log', levels })
    if (update === true) await requireVisibleTag(name)
    const visible = await objects.viewer()
    return async (transaction) => {
      const change = await readChange(transaction, input)
      const made =
        update === true
          ? await changeTag(
              transaction,
              name,
              (before) => ({
                ...change,
                folders: withUnseen(change.folders, before.folders, visible.folders),
                logs: withUnseen(change.logs, before.logs, visible.logs),
              }),
              readTagQuery,
            )
          : await addTag(transaction, name, change, readTagQuery)
      const { parameters } = made.tag
      const notes =
        Object.keys(parameters).length === 0
          ? []
          : ['parameters: kept, but nothing of this version uses them']
      return { name: made.name, notes }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** Only what was given. */
async function readChange(
  transaction: DatabaseTransaction,
  input: SdkInput<'addAppTag'>,
): Promise<AppTagChange> {
  const { folders, logs, accounts } = input
  return {
    description: input.description,
    sourceQuery: input.sourceQuery?.trim(),
    folders: await each(folders, (levels) => requireFolder(transaction, levels)),
    logs: await each(logs, async (levels) => (await requireLog(transaction, levels)).id),
    accounts: await each(accounts, (name) => requireAccountId(transaction, name)),
    parameters: input.parameters,
    timeZone: input.timeZone,
  }
}

async function each<T>(
  given: readonly T[] | undefined,
  find: (one: T) => Promise<number>,
): Promise<number[] | undefined> {
  if (given === undefined) return undefined
  const ids = new Set<number>()
  for (const one of given) ids.add(await find(one))
  return [...ids]
}

/** What the caller may not view is not his to take out. */
function withUnseen(
  given: readonly number[] | undefined,
  before: readonly number[],
  visible: 'all' | ReadonlySet<number>,
): readonly number[] | undefined {
  if (given === undefined || visible === 'all') return given
  return [...given, ...before.filter((id) => !visible.has(id))]
}
