// Secrets that a file takes from the environment: only what it names is sent, and none is put into
// its text, where it could become something else.
import { listArguments, type SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { ENVIRONMENT_ARGUMENT } from '../../../schemas/sdk/object-arguments.ts'

type Given = Readonly<Record<string, string>>

/** A variable that is not set is left out: the product says where it is missing. */
export function withEnvironment(
  command: SdkCommandName,
  given: Given,
  readVariable: (name: string) => string | undefined,
): Given {
  const published = listArguments(command)
  const isTaken = published.some(({ name }) => name === ENVIRONMENT_ARGUMENT)
  if (!isTaken || given[ENVIRONMENT_ARGUMENT] !== undefined) return given
  const texts = published.flatMap(({ name, isFile }) =>
    isFile === true ? (given[name] ?? []) : [],
  )
  const found: Record<string, string> = {}
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(/(?<!\$)\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g)) {
      const value = readVariable(name)
      if (value !== undefined) found[name] = value
    }
  return { ...given, [ENVIRONMENT_ARGUMENT]: JSON.stringify(found) }
}
