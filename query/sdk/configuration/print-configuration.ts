// Described objects as the YAML that readConfiguration reads.
import { Document, visit } from 'yaml'
import { ENTRY_SEPARATOR } from '../../../schemas/log-definition.ts'
import { OBJECT_TYPES, type ObjectType } from '../../../schemas/object-types.ts'
import { listArguments } from '../../../schemas/sdk/commands.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { DescribedObject } from '../objects/object-kind.ts'
import { escapeReference, nameSecret } from './environment-names.ts'
import { isOfEntries, SECRETS_KEY } from './read-configuration.ts'

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
    return [print({ [type]: printed })]
  })
  return [...notes.map((note) => `# ${note}\n`), ...parts].join('')
}

/** The empty text stands in quotes: other readers would take nothing for null. */
function print(value: object): string {
  const document = new Document(value, { schema: 'failsafe' })
  visit(document, {
    Scalar: (_, scalar) => {
      if (scalar.value === '') scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 })
}

function toYaml(type: ObjectType, object: DescribedObject, taken: Set<string>): object {
  const { name, arguments: given, secrets = [] } = object
  const values: Record<string, string | string[]> = {}
  for (const [argument, text] of Object.entries(given)) {
    const isList = text.includes(ENTRY_SEPARATOR) && isOfEntries(type, argument)
    values[argument] = isList ? text.split(ENTRY_SEPARATOR) : escapeReference(text)
  }
  const published = listArguments(OBJECT_KINDS[type].command).map((one) => one.name)
  for (const secret of secrets)
    if (published.includes(secret))
      values[secret] = `\${env:${nameSecret([type, name, secret], taken)}}`
  return secrets.length === 0 ? values : { ...values, [SECRETS_KEY]: [...secrets] }
}
