// list: names of objects.
import { list as published } from '../../../../schemas/sdk/objects/list.ts'
import { matchNames } from '../../configuration/match-names.ts'
import { OBJECT_KINDS } from '../../objects/kinds.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const list = serveCommand(published, async ({ type, names = '*' }, { objects: tools }) => {
  const kind = OBJECT_KINDS[type]
  tools.requireReading(kind)
  const viewer = await tools.viewer()
  const isAsked = matchNames(names)
  return async (transaction) => {
    const all = await kind.readAll(transaction, viewer)
    const objects = all
      .filter(({ name }) => isAsked(name))
      .map(({ name, origin = 'operator' }) => ({ name, origin }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return { objects }
  }
})
