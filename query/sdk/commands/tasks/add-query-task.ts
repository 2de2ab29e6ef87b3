// addQueryTask: makes a task that reads rows of a database, or with -update changes one.

import { hasMark } from '../../../../infra/database/foreign/mark-parameter.ts'
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { findBookAccount } from '../../../../infra/metastore/address-book/book-accounts.ts'
import { changeQueryTask } from '../../../../infra/metastore/tasks/query-task-mark.ts'
import { addTask, type Task } from '../../../../infra/metastore/tasks/tasks.ts'
import { requireLog } from '../../../../infra/metastore/tree/find-node.ts'
import { BOOK_ACCOUNT_KINDS } from '../../../../schemas/address-book.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { addQueryTask as published } from '../../../../schemas/sdk/tasks/add-query-task.ts'
import { serveCommand } from '../../server/serve-command.ts'
import { describeTask } from '../../tasks/describe-task.ts'
import { requireSeenQueryTask } from '../../tasks/seen-folder.ts'

const MAX_SHOWN = 100
const DEFAULTS = { cron: '', firstMark: '0', timeColumn: '', messageColumn: '' }

export const addQueryTask = serveCommand(
  published,
  async (input, { clock, database, objects, requireEditable }) => {
    const { name, log, query } = input
    if (query !== undefined && !hasMark(query))
      throw new Failure('sdk.argument', {
        argument: 'query',
        reason: 'must hold :mark, such as WHERE id > :mark',
      })
    if (input.mark !== undefined && input.update !== true)
      throw new Failure('sdk.argument', {
        argument: 'mark',
        reason: 'goes with -update true: a new task has no mark',
      })
    if (input.update === true) {
      const viewer = await objects.viewer()
      const before = await database.snapshot((transaction) =>
        requireSeenQueryTask(transaction, name, viewer),
      )
      await requireEditable({ kind: 'log', levels: before.settings.log })
    }
    if (log !== undefined) await requireEditable({ kind: 'log', levels: log })
    return async (transaction) => {
      if (log !== undefined) await requireLog(transaction, log)
      const change = {
        description: input.description,
        isEnabled: input.enabled,
        settings: {
          ...{ cron: input.cron, query, markColumn: input.markColumn, log },
          ...{ firstMark: input.firstMark, timeColumn: input.timeColumn },
          messageColumn: input.messageColumn,
          account:
            input.account === undefined
              ? undefined
              : await requireDatabase(transaction, input.account),
        },
      }
      if (input.update === true) {
        const changed = { name, wish: input.mark, ...change }
        const { task, left } = await changeQueryTask(transaction, clock, changed)
        const answer = await describeTask(transaction, task, clock.nowMs())
        return { ...answer, notes: left === '' ? [] : [noteOn(task, left)] }
      }
      const added = { kind: 'query', name, defaults: DEFAULTS, ...change } as const
      const task = await addTask(transaction, clock, added)
      return await describeTask(transaction, task, clock.nowMs())
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

function noteOn({ settings: { firstMark } }: Task<'query'>, left: string): string {
  const shown = left.length > MAX_SHOWN ? `${left.slice(0, MAX_SHOWN)}…` : left
  return `the mark begins anew: the next run reads all rows behind ${firstMark}; to go on behind ${shown} give -update true -mark keep before it`
}

/** Gives its name as it is spelled. */
async function requireDatabase(transaction: DatabaseTransaction, name: string): Promise<string> {
  const found = await findBookAccount(transaction, name)
  if (found?.kind === 'database') return found.name
  throw new Failure('object.not_found', { kind: BOOK_ACCOUNT_KINDS.database, name })
}
