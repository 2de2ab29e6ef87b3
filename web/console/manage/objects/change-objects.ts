// Changes to several objects, one command after the other; the first that fails ends it.
import { runCommand } from '../../../shared/api/sdk.ts'
import type { ListedObject } from './listed-object.ts'
import type { ShownKind } from './object-kinds.ts'

export async function removeObjects(
  kind: ShownKind,
  objects: readonly ListedObject[],
): Promise<void> {
  for (const { name } of objects) {
    const { command, arguments: given } = kind.remove(name)
    await runCommand(command, given)
  }
}

export async function setEnabled(
  kind: ShownKind,
  objects: readonly ListedObject[],
  isEnabled: boolean,
): Promise<void> {
  const enabled = String(isEnabled)
  for (const { arguments: given } of objects) {
    if (given.enabled === enabled) continue
    const named = Object.fromEntries(kind.named.map((name) => [name, given[name] ?? '']))
    await runCommand(kind.command, { ...named, ...kind.change, enabled })
  }
}
