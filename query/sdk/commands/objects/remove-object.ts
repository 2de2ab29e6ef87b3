// removeObject: removes an object of a type that has no command for it.
import { Failure } from '../../../../schemas/failures.ts'
import { removeObject as published } from '../../../../schemas/sdk/objects/remove-object.ts'
import { OBJECT_KINDS } from '../../objects/kinds.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const removeObject = serveCommand(published, async ({ type, name }, { clock, objects }) => {
  const { command, removal } = OBJECT_KINDS[type]
  if ('command' in removal) {
    const given = Object.entries(removal.arguments(name)).map(([key, value]) => `-${key} ${value}`)
    const reason = `a ${type} is removed with -api ${removal.command} ${given.join(' ')}`
    throw new Failure('sdk.argument', { argument: 'type', reason })
  }
  objects.requireChanging(command)
  const viewer = await objects.viewer()
  return async (transaction) => {
    await removal.remove(transaction, name, clock.nowMs(), viewer)
    return { type, name, removed: true as const }
  }
})
