// exportAll: the whole configuration in YAML.
import { isFailure } from '../../../../schemas/failures.ts'
import { OBJECT_TYPES } from '../../../../schemas/object-types.ts'
import { exportAll as published } from '../../../../schemas/sdk/objects/export-all.ts'
import { readState } from '../../configuration/object-state.ts'
import { orderObjects } from '../../configuration/order-objects.ts'
import { printConfiguration } from '../../configuration/print-configuration.ts'
import { OBJECT_KINDS } from '../../objects/kinds.ts'
import type { ObjectKind } from '../../objects/object-kind.ts'
import { serveCommand } from '../../server/serve-command.ts'

const NOTES = ['Configuration of Logeye: logeye-sdk … -api apply -file <this file>']

export const exportAll = serveCommand(published, async (_, { objects: tools }) => {
  const mayRead = (kind: ObjectKind) => {
    try {
      tools.requireReading(kind)
      return true
    } catch (error) {
      if (isFailure(error) && error.code === 'rights.missing') return false
      throw error
    }
  }
  const types = OBJECT_TYPES.filter((type) => mayRead(OBJECT_KINDS[type]))
  const left = OBJECT_TYPES.filter((type) => !types.includes(type))
  const viewer = await tools.viewer()
  return async (transaction) => {
    const state = await readState(transaction, types, viewer)
    const objects = types.map((type) => {
      const own = [...(state.get(type)?.values() ?? [])].filter((it) => it.origin === undefined)
      const ordered = own.map((it) => ({ ...it, type, given: it.arguments }))
      return [type, orderObjects(ordered)] as const
    })
    const notes = left.length === 0 ? [] : [`left out, you may not read them: ${left.join(', ')}`]
    return printConfiguration(new Map(objects), [...NOTES, ...notes])
  }
})
