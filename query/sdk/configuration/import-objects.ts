// Makes the objects of a file what it says, by their commands and in one transaction: all of it is
// done or nothing. What a command has changed is read afterwards, not guessed.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import type { ObjectReport } from '../../../schemas/object-report.ts'
import type { ObjectType } from '../../../schemas/object-types.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { ObjectArguments } from '../objects/object-kind.ts'
import type { CommandTools, CommandWork } from '../server/serve-command.ts'
import { changeArguments, checkObjects, makeArguments, type ObjectStep } from './check-objects.ts'
import { EVERYTHING, findObject, type ObjectState, readState, refKey } from './object-state.ts'
import { findNeeded, orderObjects } from './order-objects.ts'
import type { Configuration } from './read-configuration.ts'
import { readNotes, reportMade } from './report-made.ts'
import { readNodeIds, seenAfter } from './seen-after.ts'

const MAX_FAULTS = 10

type Prepared = { readonly step: ObjectStep; readonly work: CommandWork<unknown> | undefined }

/** Fails with sdk.argument, naming lines of the file, before anything is changed. */
export async function importObjects(
  { objects, types, faults }: Configuration,
  options: { readonly environment: Readonly<Record<string, string>>; readonly isPruned: boolean },
  tools: CommandTools,
): Promise<CommandWork<readonly ObjectReport[]>> {
  refuseFaults(faults)
  for (const type of types) tools.objects.requireReading(OBJECT_KINDS[type])
  const viewer = await tools.objects.viewer()
  const before = await tools.database.snapshot((transaction) =>
    readState(transaction, types, viewer),
  )
  const checked = checkObjects(objects, options.environment, before)
  refuseFaults(checked.faults)
  const removed = options.isPruned ? findPruned(checked.steps, types, before) : []
  const prepared: Prepared[] = []
  for (const step of [...orderObjects(checked.steps), ...removed])
    prepared.push({ step, work: await prepare(step, tools) })
  return async (transaction) => {
    const nodes = await readNodeIds(transaction)
    const answers = new Map<ObjectStep, unknown>()
    for (const { step, work } of prepared)
      if (work !== undefined) answers.set(step, await run(step, work, transaction))
    const all = await readState(transaction, types, EVERYTHING)
    const told = seenAfter(viewer, nodes, await readNodeIds(transaction))
    const seen = await readState(transaction, types, told)
    return prepared.map(({ step }) => report(step, { before, all, seen }, answers.get(step)))
  }
}

/** What operators set up, of the types that the file names, and neither is in it nor needed by what
 *  is; what lies in another comes first. */
function findPruned(
  steps: readonly ObjectStep[],
  types: ReadonlySet<ObjectType>,
  state: ObjectState,
): readonly ObjectStep[] {
  const kept = new Set([...steps.map(refKey), ...findNeeded(steps, state)])
  const removed = [...types].flatMap((type) =>
    [...(state.get(type)?.values() ?? [])].flatMap((object): ObjectStep[] => {
      const { name, origin, isAlwaysThere } = object
      if (origin !== undefined || isAlwaysThere === true || kept.has(refKey({ type, name })))
        return []
      return [{ type, name, action: 'remove', line: 0, given: object.arguments }]
    }),
  )
  return orderObjects(removed).toReversed()
}

async function prepare(
  step: ObjectStep,
  { objects: tools }: CommandTools,
): Promise<CommandWork<unknown> | undefined> {
  const { type, name, action, given } = step
  const kind = OBJECT_KINDS[type]
  const { command, removal } = kind
  try {
    switch (action) {
      case 'none':
        return undefined
      case 'make':
        return await tools.prepare(command, makeArguments(kind, given))
      case 'change':
        return await tools.prepare(command, changeArguments(kind, given))
      case 'remove':
        return 'command' in removal
          ? await tools.prepare(removal.command, removal.arguments(name))
          : await tools.prepare('removeObject', { type, name })
    }
  } catch (error) {
    throw inFile(step, error)
  }
}

async function run(
  step: ObjectStep,
  work: CommandWork<unknown>,
  transaction: DatabaseTransaction,
): Promise<unknown> {
  try {
    return await work(transaction)
  } catch (error) {
    throw inFile(step, error)
  }
}

/** `all`: whatever there is afterwards; `seen`: as far as the caller may know of it. */
type States = {
  readonly before: ObjectState
  readonly all: ObjectState
  readonly seen: ObjectState
}

function report(step: ObjectStep, { before, all, seen }: States, answer: unknown): ObjectReport {
  const { type, name, action } = step
  const kind = OBJECT_KINDS[type]
  const now = findObject(all, { type, name })
  // Else it would be made again each time.
  if (now === undefined && action !== 'remove')
    throw inFile(step, new Failure('object.not_found', { kind: type, name }))
  switch (action) {
    case 'make':
      return reportMade(kind, now?.name ?? name, answer)
    case 'remove': {
      const { dataAfterRemoval } = kind
      const data = dataAfterRemoval === undefined ? [] : [dataAfterRemoval]
      return { type, name, done: 'removed', notes: [...data, ...readNotes(answer)] }
    }
    case 'none':
      return { type, name, done: 'unchanged', notes: [] }
    case 'change': {
      const old = findObject(before, { type, name })?.arguments ?? {}
      const told = findObject(seen, { type, name })?.arguments
      const changes = told === undefined ? [] : findChanges(old, told)
      return told !== undefined && changes.length === 0
        ? { type, name, done: 'unchanged', notes: [] }
        : { type, name, done: 'changed', changes, notes: readNotes(answer) }
    }
  }
}

function findChanges(before: ObjectArguments, after: ObjectArguments) {
  return Object.entries(after).flatMap(([field, to]) => {
    const from = before[field] ?? ''
    return from === to ? [] : [{ field, from, to }]
  })
}

/** What a command says of an object, with the line in the file. */
function inFile({ type, name, line }: ObjectStep, error: unknown): unknown {
  if (!isFailure(error) || !/^(object|sdk)\./.test(error.code)) return error
  const { hint: _, ...details } = error.details
  const message = new Failure(error.code, details).message
  const place = line === 0 ? '' : `line ${line}, `
  return fileFailure(`${place}${type} ${name}: ${message}`, error)
}

function refuseFaults(faults: readonly string[]): void {
  if (faults.length === 0) return
  const more = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : []
  throw fileFailure([...faults.slice(0, MAX_FAULTS), ...more].join('; '))
}

export function fileFailure(reason: string, cause?: unknown): Failure {
  return new Failure('sdk.argument', { argument: 'file', reason }, cause)
}

/** Does the work and undoes it: what it would give. Fails as the work would. */
export async function tryOut<T>(
  { database, withinRights }: Pick<CommandTools, 'database' | 'withinRights'>,
  work: CommandWork<T>,
): Promise<T> {
  let result: { value: T } | undefined
  try {
    await database.write(async (transaction) => {
      result = undefined
      result = { value: await withinRights(transaction, () => work(transaction)) }
      throw new Undone('a dry run is undone')
    })
  } catch (error) {
    if (result === undefined) throw error
  }
  if (result === undefined) throw new Error('a dry run was not undone')
  return result.value
}

class Undone extends Error {}
