// What of a change somebody may not make. Pure.
import type { Sight } from './make-sight.ts'
import type { PathState } from './port.ts'

/** The name of the first entry that changed and is about more than `sight` holds; undefined:
 *  none. */
export function findUnseen(before: PathState, after: PathState, sight: Sight): string | undefined {
  for (const key of changedKeys(before, after)) {
    const [was, is] = [before.get(key), after.get(key)]
    const asked = [...(was?.concerns() ?? []), ...(is?.concerns() ?? []), ...(is?.gained ?? [])]
    if (!asked.every((concern) => sight.has(concern))) return (is ?? was)?.name
  }
  return undefined
}

export function changedKeys(before: PathState, after: PathState): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key)?.mark !== after.get(key)?.mark,
  )
}
