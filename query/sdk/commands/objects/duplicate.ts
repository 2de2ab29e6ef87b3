// duplicate: makes a second object like one.
import { Failure, isFailure } from '../../../../schemas/failures.ts'
import { duplicate as published } from '../../../../schemas/sdk/objects/duplicate.ts'
import { makeArguments } from '../../configuration/check-objects.ts'
import { findObject, readState } from '../../configuration/object-state.ts'
import { reportMade } from '../../configuration/report-made.ts'
import { OBJECT_KINDS } from '../../objects/kinds.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const duplicate = serveCommand(published, async ({ type, name, newName }, tools) => {
  const kind = OBJECT_KINDS[type]
  tools.objects.requireReading(kind)
  const viewer = await tools.objects.viewer()
  const state = await tools.database.snapshot((transaction) =>
    readState(transaction, [type], viewer),
  )
  const found = findObject(state, { type, name })
  if (found === undefined) throw new Failure('object.not_found', { kind: type, name })
  const refuse = (argument: string, reason: string, cause?: unknown) =>
    new Failure('sdk.argument', { argument, reason }, cause)
  const given = kind.rename(found.arguments, newName)
  if (given === undefined) throw refuse('type', `a ${type} cannot be duplicated`)
  try {
    const work = await tools.objects.prepare(kind.command, makeArguments(kind, given))
    return async (transaction) => reportMade(kind, kind.nameOf(given), await work(transaction))
  } catch (error) {
    const argument = isFailure(error) ? String(error.details.argument) : ''
    if (found.secrets?.includes(argument) !== true) throw error
    const reason = `needs ${argument}, which is not copied: exportObject writes a file, in which it is given for importObject`
    throw refuse('name', reason, error)
  }
})
