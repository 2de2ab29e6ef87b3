// list: names of objects, or all of them whole.
import { list as published } from '../../../../schemas/sdk/objects/list.ts'
import { matchNames } from '../../configuration/match-names.ts'
import { OBJECT_KINDS } from '../../objects/kinds.ts'
import type { DescribedObject } from '../../objects/object-kind.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const list = serveCommand(published, async (given, { objects: tools }) => {
  const { type, names = '*', details = false } = given
  const kind = OBJECT_KINDS[type]
  tools.requireReading(kind)
  const viewer = await tools.viewer()
  const isAsked = matchNames(names)
  return async (transaction) => {
    const all = await kind.readAll(transaction, viewer)
    const objects = all
      .filter(({ name }) => isAsked(name))
      .map((object) => tell(object, details))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return { objects }
  }
})

function tell({ name, origin, arguments: given, secrets = [] }: DescribedObject, isWhole: boolean) {
  const listed = { name, origin: origin ?? ('operator' as const) }
  return isWhole ? { ...listed, arguments: given, secrets: [...secrets] } : listed
}
