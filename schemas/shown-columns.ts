// The parsed columns of a stored event as they are shown: cut out of `rest` by `names`, with `others` and `ids`. The JSON column has the
// same values, but costs a dozen files to read, and ten times the work to print.

const END_OF_NAME = '\u0002'
const SEPARATOR = '\u001f'

/** The column `names`, '' for none: of the columns of the first values of `rest`. No name is empty or holds \x02 (isLayoutName). */
export function printNames(names: readonly string[]): string {
  return names.join(END_OF_NAME)
}

export type ShownParts = {
  readonly rest: string
  readonly names: string
  readonly others: readonly (readonly [name: string, value: string])[]
  readonly ids: readonly (readonly [name: string, value: string])[]
}

/** Name -> value as received, without the columns that the event lacks. */
export function readShownColumns({ rest, names, others, ids }: ShownParts): Map<string, string> {
  const columns = new Map<string, string>()
  if (names !== '') {
    const values = rest.split(SEPARATOR)
    namesOf(names).forEach((name, at) => {
      const value = values[at + 1]
      if (value) columns.set(name, value)
    })
  }
  for (const [name, value] of others) columns.set(name, value)
  for (const [name, value] of ids) columns.set(name, value)
  return columns
}

/** SQL, Array(String): the names of `readShownColumns`. */
export const SHOWN_NAMES_SQL = `arrayConcat(${namedSql()}, mapKeys(others), mapKeys(ids))`

function namedSql(): string {
  const names = `splitByChar('${END_OF_NAME}', toString(names))`
  // Behind the first separator; as long as the names, as a lambda wants it.
  const values = `arrayResize(arrayPopFront(splitByChar('${SEPARATOR}', rest)), length(${names}))`
  // No names are one empty name there.
  return `arrayFilter((name, value) -> name != '' AND value != '', ${names}, ${values})`
}

const MAX_KNOWN_NAMES = 1024
const knownNames = new Map<string, readonly string[]>()

function namesOf(names: string): readonly string[] {
  const known = knownNames.get(names)
  if (known !== undefined) return known
  const list = names.split(END_OF_NAME)
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear()
  knownNames.set(names, list)
  return list
}
