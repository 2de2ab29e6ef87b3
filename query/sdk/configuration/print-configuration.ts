// Described objects as the YAML that readConfiguration reads.
import { stringify } from 'yaml'
import { OBJECT_TYPES, type ObjectType } from '../../../schemas/object-types.ts'
import { listArguments } from '../../../schemas/sdk/commands.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { DescribedObject } from '../objects/object-kind.ts'
import { nameSecret } from './environment-names.ts'
import { isOfEntries, SECRETS_KEY } from './read-configuration.ts'

const ENTRIES = '@#@#'

/** `notes`: lines of comment at its beginning. */
export function printConfiguration(
  objects: ReadonlyMap<ObjectType, readonly DescribedObject[]>,
  notes: readonly string[],
): string {
  const taken = new Set<string>()
  const parts = OBJECT_TYPES.flatMap((type) => {
    const all = objects.get(type)
    if (all === undefined) return []
    const printed = all.map((object) => toYaml(type, object, taken))
    return [stringify({ [type]: printed }, { schema: 'failsafe', lineWidth: 0 })]
  })
  return [...notes.map((note) => `# ${note}\n`), ...parts].join('')
}

function toYaml(type: ObjectType, object: DescribedObject, taken: Set<string>): object {
  const { name, arguments: given, secrets = [] } = object
  const values: Record<string, string | string[]> = {}
  for (const [argument, text] of Object.entries(given)) {
    const isList = text.includes(ENTRIES) && isOfEntries(type, argument)
    values[argument] = isList ? text.split(ENTRIES) : text
  }
  const published = listArguments(OBJECT_KINDS[type].command).map((one) => one.name)
  for (const secret of secrets)
    if (published.includes(secret))
      values[secret] = `\${env:${nameSecret([type, name, secret], taken)}}`
  return secrets.length === 0 ? values : { ...values, [SECRETS_KEY]: [...secrets] }
}
