import type { ComponentChildren } from 'preact'
import type { Rank } from '../../../shared/sort/sort.ts'
import type { ExtraColumn } from './object-extras.ts'

/** Makes columns of what a command tells of each object, by its name; nothing is shown of one it
 *  does not tell of (yet). */
export function toldColumns<Told extends { readonly name: string }>(
  all: readonly Told[] | undefined,
) {
  const told = new Map(all?.map((one) => [one.name, one]))
  return (
    name: string,
    rankOf: (one: Told) => Rank,
    print: (one: Told) => ComponentChildren,
  ): ExtraColumn => ({
    name,
    rankOf: (object) => {
      const found = told.get(object)
      return found === undefined ? null : rankOf(found)
    },
    of: (object) => {
      const found = told.get(object)
      return found === undefined ? null : print(found)
    },
  })
}
