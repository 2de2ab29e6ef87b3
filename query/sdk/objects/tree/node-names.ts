// Names of folders and logs as objects: their path.
import { LEVEL_SEPARATOR, printFolder } from '../../../../schemas/names/log-path.ts'
import { pathValue } from '../../../../schemas/sdk/values.ts'
import type { ObjectArguments, ObjectRef } from '../object-kind.ts'

/** Of arguments with `name` and `parentFolder`. */
export function nodeName({ name = '', parentFolder = '' }: ObjectArguments): string {
  return [...pathValue.parse(parentFolder), name.trim()].join(LEVEL_SEPARATOR)
}

export function placeArguments(levels: readonly string[]): ObjectArguments {
  return { name: levels.at(-1) ?? '', parentFolder: printFolder(levels.slice(0, -1)) }
}

/** The folder that it lies in. */
export function parentOf({ parentFolder = '' }: ObjectArguments): ObjectRef[] {
  const levels = pathValue.parse(parentFolder)
  return levels.length === 0 ? [] : [{ type: 'folder', name: levels.join(LEVEL_SEPARATOR) }]
}
