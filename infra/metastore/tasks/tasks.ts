// Tasks, read and changed inside the caller's transaction.
import type { z } from 'zod'
import { Failure } from '../../../schemas/failures.ts'
import {
  isTaskKind,
  TASK_KINDS,
  TASK_SETTINGS,
  type TaskKind,
  type TaskSettings,
} from '../../../schemas/task.ts'
import type { Clock } from '../../clock.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { TaskRow } from '../../database/rows/task-row.ts'
import { takeIds } from '../counters.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'

export type Task<K extends TaskKind = TaskKind> = {
  readonly id: number
  readonly kind: K
  readonly name: string
  readonly description: string
  readonly isEnabled: boolean
  readonly changedMs: number
  readonly settings: TaskSettings<K>
}

/** What is undefined stays, or gets its default in a new task. */
export type TaskChange<K extends TaskKind> = {
  readonly description?: string | undefined
  readonly isEnabled?: boolean | undefined
  readonly settings: { readonly [P in keyof TaskSettings<K>]?: TaskSettings<K>[P] | undefined }
}

const SCHEMAS: { readonly [K in TaskKind]: z.ZodType<TaskSettings<K>> } = TASK_SETTINGS

/** Of any kind; fails with object.not_found. */
export async function requireTask(
  transaction: DatabaseTransaction,
  name: string,
): Promise<TaskRow> {
  const row = await findRow(transaction, name)
  if (row === undefined) throw new Failure('object.not_found', { kind: 'task', name })
  return row
}

/** Fails with object.not_found. */
export async function requireTaskOf<K extends TaskKind>(
  transaction: DatabaseTransaction,
  kind: K,
  name: string,
): Promise<Task<K>> {
  const row = await findRow(transaction, name)
  if (row?.kind !== kind) throw new Failure('object.not_found', { kind: TASK_KINDS[kind], name })
  return fromRow(row, kind)
}

export async function listTasks<K extends TaskKind>(
  transaction: Pick<DatabaseTransaction, 'selectFrom'>,
  kind: K,
): Promise<readonly Task<K>[]> {
  const all = transaction.selectFrom('tasks').selectAll().where('kind', '=', kind)
  return (await all.orderBy('name_folded').execute()).map((row) => fromRow(row, kind))
}

/** `settings` of the change are laid over these defaults. Fails with object.exists,
 *  object.looks_like_another, object.invalid (name). */
export async function addTask<K extends TaskKind>(
  transaction: DatabaseTransaction,
  clock: Pick<Clock, 'nowMs'>,
  task: { readonly kind: K; readonly name: string; readonly defaults: object } & TaskChange<K>,
): Promise<Task<K>> {
  const { kind, name, defaults, settings, description = '', isEnabled = true } = task
  const others = await transaction.selectFrom('tasks').selectAll().execute()
  const same = others.find((it) => it.name_folded === foldName(name))
  if (same !== undefined)
    throw new Failure('object.exists', { kind: kindNameOf(same), name: same.name })
  requireNameCharacters('task', name)
  refuseAlike('task', name, others)
  const row: TaskRow = {
    ...{ id: await takeIds(transaction, 'task', 1), kind, name, name_folded: foldName(name) },
    ...{ description, is_enabled: isEnabled ? 1 : 0, changed_ms: clock.nowMs() },
    settings: mergeSettings(kind, defaults, settings),
  }
  await transaction.insertInto('tasks').values(row).execute()
  return fromRow(row, kind)
}

/** Fails with object.not_found. */
export async function changeTask<K extends TaskKind>(
  transaction: DatabaseTransaction,
  clock: Pick<Clock, 'nowMs'>,
  { kind, name, ...change }: { readonly kind: K; readonly name: string } & TaskChange<K>,
): Promise<Task<K>> {
  const before = await requireTaskOf(transaction, kind, name)
  const isEnabled = change.isEnabled ?? before.isEnabled
  const changed = {
    description: change.description ?? before.description,
    settings: mergeSettings(kind, before.settings, change.settings),
    is_enabled: isEnabled ? (1 as const) : (0 as const),
    changed_ms: clock.nowMs(),
  }
  await transaction.updateTable('tasks').set(changed).where('id', '=', before.id).execute()
  return requireTaskOf(transaction, kind, name)
}

/** Fails with object.not_found. */
export async function removeTask(
  transaction: DatabaseTransaction,
  kind: TaskKind,
  name: string,
): Promise<void> {
  const { id } = await requireTaskOf(transaction, kind, name)
  await transaction.deleteFrom('tasks').where('id', '=', id).execute()
}

function findRow(transaction: DatabaseTransaction, name: string): Promise<TaskRow | undefined> {
  const all = transaction.selectFrom('tasks').selectAll()
  return all.where('name_folded', '=', foldName(name)).executeTakeFirst()
}

function kindNameOf({ kind }: TaskRow): string {
  return isTaskKind(kind) ? TASK_KINDS[kind] : 'task'
}

function mergeSettings(kind: TaskKind, before: object, change: object): string {
  // Through JSON: it leaves out what is undefined.
  const given: unknown = JSON.parse(JSON.stringify(change))
  return JSON.stringify(TASK_SETTINGS[kind].parse({ ...before, ...Object(given) }))
}

function fromRow<K extends TaskKind>(row: TaskRow, kind: K): Task<K> {
  const { id, name, description } = row
  try {
    const settings = SCHEMAS[kind].parse(JSON.parse(row.settings))
    const changedMs = Number(row.changed_ms)
    return { id, kind, name, description, isEnabled: row.is_enabled === 1, changedMs, settings }
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
