// What the generic commands of objects have in common (docs/decisions/0042).
import { z } from 'zod'
import { OBJECT_TYPES } from '../object-types.ts'
import { argument } from './argument.ts'
import { flagValue } from './values.ts'

export const objectTypeArgument = argument(
  z.enum(OBJECT_TYPES, `must be one of ${OBJECT_TYPES.join(', ')}`),
  { description: 'type of the object', hint: OBJECT_TYPES.join('|') },
)

/** With the quotes and line ends of JSON it must fit into a call, which takes 1 MiB. */
export const MAX_CONFIGURATION_BYTES = 768 * 1024

export const configurationFileArgument = argument(
  z
    .string()
    .max(MAX_CONFIGURATION_BYTES, `must have at most ${MAX_CONFIGURATION_BYTES / 1024} KiB`),
  {
    description: 'YAML, as exportObject and exportAll write it; - for standard input',
    hint: '<file.yaml>',
    isFile: true,
    maxFileBytes: MAX_CONFIGURATION_BYTES,
  },
)

export const ENVIRONMENT_ARGUMENT = 'environment'

/** JSON of texts by name. */
export const environmentArgument = argument(
  z
    .string()
    .transform((text, context) => {
      const parsed = z.record(z.string(), z.string()).safeParse(parseJson(text))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: 'must be a JSON object of texts' })
      return z.NEVER
    })
    .optional(),
  {
    description: `values of what the file names as \${env:NAME}; the client takes them from its environment`,
    hint: '{"NAME":"value"}',
    isSecret: true,
  },
)

export const dryRunArgument = argument(flagValue.optional(), {
  description: 'only tells what would be done',
  hint: 'true|false',
  isFlag: true,
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
