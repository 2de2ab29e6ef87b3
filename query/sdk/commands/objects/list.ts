// list: names of objects, or all of them whole.
import type { CommandEntry } from '../../../../schemas/sdk/argument.ts'
import { SDK_COMMANDS } from '../../../../schemas/sdk/commands.ts'
import { list as published } from '../../../../schemas/sdk/objects/list.ts'
import { matchNames } from '../../configuration/match-names.ts'
import { OBJECT_KINDS } from '../../objects/kinds.ts'
import type { DescribedObject } from '../../objects/object-kind.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const list = serveCommand(published, async (given, { objects: tools, findFixed }) => {
  const { type, names = '*', details = false } = given
  const kind = OBJECT_KINDS[type]
  tools.requireReading(kind)
  const viewer = await tools.viewer()
  const isAsked = matchNames(names)
  const { sees }: CommandEntry = SDK_COMMANDS[kind.command]
  const paths = details && sees.kind === 'paths' ? sees.paths : []
  return async (transaction) => {
    const all = await kind.readAll(transaction, viewer)
    const fixed = await findFixed(transaction, paths)
    const objects = all
      .filter(({ name }) => isAsked(name))
      .map((object) => ({
        ...tell(object, details),
        ...(fixed.has(object.name) ? { isFixed: true as const } : {}),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return { objects }
  }
})

function tell({ name, origin, arguments: given, secrets = [] }: DescribedObject, isWhole: boolean) {
  const listed = { name, origin: origin ?? ('operator' as const) }
  return isWhole ? { ...listed, arguments: given, secrets: [...secrets] } : listed
}
