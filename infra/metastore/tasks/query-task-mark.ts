// The mark of a query task belongs to its account, query and mark column: with another of them it
// begins anew, unless somebody says that it is kept. The task counts what it has asked so far, and
// a mark has the number of what it answers (docs/decisions/0133).
import { Failure } from '../../../schemas/failures.ts'
import type { MarkWish } from '../../../schemas/task.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { type CollectMark, readCollectMark } from '../collect/collect-marks.ts'
import { requireLog } from '../tree/find-node.ts'
import { changeTask, listTasks, requireTaskOf, type Task, type TaskChange } from './tasks.ts'

type QueryTask = Task<'query'>

/** In a log. */
export function markPlaceOf({ id }: Pick<QueryTask, 'id'>): string {
  return `task ${id}`
}

/** `left`: the mark behind which the next run does not go on; '' for none. Fails with
 *  object.not_found. */
export async function changeQueryTask(
  transaction: DatabaseTransaction,
  clock: Pick<Clock, 'nowMs'>,
  {
    wish,
    ...change
  }: TaskChange<'query'> & {
    readonly name: string
    readonly wish: MarkWish | undefined
  },
): Promise<{ readonly task: QueryTask; readonly left: string }> {
  const before = await requireTaskOf(transaction, 'query', change.name)
  const stored = await readMark(transaction, before, change.settings.log ?? before.settings.log)
  const isKept = wish === 'keep' || (wish === undefined && isSameSource(before, change.settings))
  let { generation, generations } = before.settings
  if (!isKept) {
    generations = Math.max(generation, generations) + 1
    generation = generations
  } else if (wish === 'keep' && stored !== undefined) generation = stored.generation
  const settings = { ...change.settings, generation, generations }
  const task = await changeTask(transaction, clock, { kind: 'query', ...change, settings })
  const isLeft = stored !== undefined && stored.generation !== generation
  return { task, left: isLeft ? stored.mark : '' }
}

/** False: it was given another number, or removed, since the run began that asks. */
export async function isCurrentTask(
  transaction: DatabaseTransaction,
  { id, settings }: QueryTask,
): Promise<boolean> {
  const now = (await listTasks(transaction, 'query')).find((one) => one.id === id)
  return now?.settings.generation === settings.generation
}

function isSameSource({ settings }: QueryTask, given: TaskChange<'query'>['settings']): boolean {
  const { account, query, markColumn } = settings
  return (
    foldName(given.account ?? account) === foldName(account) &&
    (given.query ?? query) === query &&
    (given.markColumn ?? markColumn) === markColumn
  )
}

/** undefined: nothing was read into this log. */
async function readMark(
  transaction: DatabaseTransaction,
  task: QueryTask,
  log: readonly string[],
): Promise<CollectMark | undefined> {
  try {
    const { id } = await requireLog(transaction, log)
    const found = await readCollectMark(transaction, id, markPlaceOf(task))
    return found.mark === '' ? undefined : found
  } catch (error) {
    if (error instanceof Failure && error.code === 'object.not_found') return undefined
    throw error
  }
}
