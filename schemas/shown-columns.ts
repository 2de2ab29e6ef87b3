// The parsed columns of a stored event as they are shown: cut out of `rest` by `names` and of `ids`
// by `id_names`, with `others`. The JSON column has the same values, but is several files a column
// to read, and 10 to 17 us an event to print (docs/decisions/0019).

import { END_OF_NAME } from './event-layout.ts'
import { ownCopy } from './names/own-copy.ts'

/** Before each value of `rest`. */
export const REST_SEPARATOR = '\u001f'

/** Between the values of `ids`, which hold no white space. */
export const ID_SEPARATOR = ' '
/** SQL, Array(String): the values of `ids`. */
export const ID_VALUES_SQL = `splitByChar('${ID_SEPARATOR}', ids)`

/** SQL: the identifier of this name, '' when the event has none. `name`: SQL of a text. */
export function idSql(name: string): string {
  const at = `indexOf(splitByChar('${END_OF_NAME}', toString(id_names)), ${name})`
  return `if(id_names = ${name}, ids, ${ID_VALUES_SQL}[${at}])`
}

/** After a name in `others`; REST_SEPARATOR after a value. */
export const OTHER_NAME_END = END_OF_NAME
/** Before what stands for itself or for REST_SEPARATOR within them. */
export const OTHER_ESCAPE = '\u001b'
const ESCAPED_ESCAPE = `${OTHER_ESCAPE}[`
const ESCAPED_END = `${OTHER_ESCAPE}_`

/** The columns `names`, of the first values of `rest`, and `id_names`; '' for none. No name is
 *  empty. */
export function printNames(names: readonly string[]): string {
  return names.join(END_OF_NAME)
}

/** A name or a value as it stands in `others`. */
export function escapeOther(text: string): string {
  return text.replaceAll(OTHER_ESCAPE, ESCAPED_ESCAPE).replaceAll(REST_SEPARATOR, ESCAPED_END)
}

export type ShownParts = {
  readonly rest: string
  readonly names: string
  readonly others: string
  readonly idNames: string
  readonly ids: string
}

/** Name -> value as received, without the columns that the event lacks. */
export function readShownColumns(event: ShownParts): Map<string, string> {
  const { rest, names, others, idNames, ids } = event
  const columns = new Map<string, string>()
  if (names !== '') {
    const own = ownerOf(rest)
    const values = rest.split(REST_SEPARATOR)
    namesOf(names).forEach((name, at) => {
      const value = values[at + 1]
      if (value) columns.set(name, own(value))
    })
  }
  if (others !== '') {
    const own = ownerOf(others)
    for (const other of others.split(REST_SEPARATOR).slice(0, -1)) {
      const cut = other.indexOf(OTHER_NAME_END)
      columns.set(own(unescapeOther(other.slice(0, cut))), own(unescapeOther(other.slice(cut + 1))))
    }
  }
  if (idNames !== '') {
    const own = ownerOf(ids)
    const values = ids.split(ID_SEPARATOR)
    namesOf(idNames).forEach((name, at) => {
      columns.set(name, own(values[at] ?? ''))
    })
  }
  return columns
}

const LONG_TEXT = 4096

/** What is cut out of a text keeps the whole of it alive: of a long one it is copied. */
function ownerOf(text: string): (cut: string) => string {
  return text.length > LONG_TEXT ? ownCopy : keepCut
}

function keepCut(cut: string): string {
  return cut
}

function unescapeOther(text: string): string {
  if (!text.includes(OTHER_ESCAPE)) return text
  return text.replaceAll(ESCAPED_END, REST_SEPARATOR).replaceAll(ESCAPED_ESCAPE, OTHER_ESCAPE)
}

/** SQL, Array(String): the names of `readShownColumns`. */
export const SHOWN_NAMES_SQL = `arrayConcat(${namedSql()}, ${otherNamesSql()}, ${idNamesSql()})`

function namedSql(): string {
  const names = `splitByChar('${END_OF_NAME}', toString(names))`
  // After the first separator; as long as the names, as a lambda wants it.
  const values = `arrayResize(arrayPopFront(splitByChar('${REST_SEPARATOR}', rest)), length(${names}))`
  // No names are one empty name there.
  return `arrayFilter((name, value) -> name != '' AND value != '', ${names}, ${values})`
}

function idNamesSql(): string {
  return `if(id_names = '', emptyArrayString(), splitByChar('${END_OF_NAME}', toString(id_names)))`
}

function otherNamesSql(): string {
  const name = `splitByChar('${OTHER_NAME_END}', other)[1]`
  const plain = `replaceAll(replaceAll(${name}, '${ESCAPED_END}', '${REST_SEPARATOR}'), '${ESCAPED_ESCAPE}', '${OTHER_ESCAPE}')`
  return `arrayMap(other -> ${plain}, arrayPopBack(splitByChar('${REST_SEPARATOR}', others)))`
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
