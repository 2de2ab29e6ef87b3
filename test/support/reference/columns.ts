// Names to readers of rows (search-language#built-in-columns, #functions, #list).

import {
  type Cell,
  type Column,
  type Reader,
  type ReferenceEvent,
  type Relation,
  type Row,
  textCell,
  type World,
} from './run/model.ts'
import { BUILT_INS, spellingsOf } from './scopes.ts'
import type { ColumnRef } from './tree.ts'

const NOTHING: Reader = () => null
export const FIXED = ['timestamp', 'log', 'folder', 'host', 'source', 'message']

/** Events, newest first, ties in reverse order of arrival, with the columns of 2.7. */
export function eventRelation(events: readonly ReferenceEvent[], world: World): Relation {
  const rows = [...events]
    .sort((a, b) => b.timestampMs - a.timestampMs || b.arrival - a.arrival)
    .map((event): Row => ({ event, cells: new Map() }))
  const parsed = [...spellingsOf(world.logs, world.names).values()].filter(
    ([name = '']) => !FIXED.includes(name.toLowerCase()),
  )
  return {
    kind: 'events',
    rows,
    shown: [
      ...FIXED.map((name) => eventColumn(name, readBuiltIn(name), false)),
      ...parsed.map((spellings) =>
        eventColumn(spellings[0] ?? '', readParsed(spellings, true), true),
      ),
    ],
    hidden: [],
    logs: world.logs,
  }
}

function eventColumn(title: string, read: Reader, isOptional: boolean): Column {
  return { title, synonyms: [], read, print: null, isOptional, isNamed: false }
}

/** undefined: no such column. */
export function findReader(relation: Relation, ref: ColumnRef, world: World): Reader | undefined {
  const name = ref.name.toLowerCase()
  if (relation.kind === 'table') return findColumn(relation, name)?.read
  if (ref.origin === 'any') {
    const given = relation.hidden.find(({ title }) => title.toLowerCase() === name)
    if (given) return given.read
  }
  const builtIn = ref.origin === 'parsed' ? undefined : BUILT_INS.get(name)
  if (builtIn) return readBuiltIn(builtIn)
  const spellings = spellingsOf(relation.logs, world.names)
  const parsed = spellings.get(name) ?? spellings.get(`column.${name}`)
  return parsed && readParsed(parsed, holdsTexts(parsed, relation, world))
}

export function readerOf(relation: Relation, ref: ColumnRef, world: World): Reader {
  return findReader(relation, ref, world) ?? NOTHING
}

/** Of a table: by title, then by another name that one column alone has. */
export function findColumn(relation: Relation, name: string): Column | undefined {
  const all = [...relation.shown, ...relation.hidden]
  const folded = name.toLowerCase()
  const titled = all.find(({ title }) => title.toLowerCase() === folded)
  if (titled) return titled
  const named = all.filter(({ synonyms }) =>
    synonyms.some((synonym) => synonym.toLowerCase() === folded),
  )
  return named.length === 1 ? named[0] : undefined
}

/** The time of an event. */
export const readTime: Reader = ({ event }) =>
  event === null ? null : { kind: 'date', ms: event.timestampMs }

function readBuiltIn(name: string): Reader {
  if (name === 'timestamp') return readTime
  return ({ event }) => {
    if (event === null) return null
    switch (name) {
      case 'log':
        return textCell(event.log.name)
      case 'folder':
        return textCell(event.log.folder.length === 0 ? 'ROOT' : event.log.folder.join('->'))
      case 'host':
        return textCell(event.host)
      case 'source':
        return textCell(event.source)
      case 'apptags':
        return event.log.appTags.length === 0 ? null : { kind: 'tags', texts: event.log.appTags }
      case 'message':
        return textCell(event.message)
      case 'raw':
        return textCell(event.raw)
      case 'size':
        return { kind: 'number', value: event.size, text: String(event.size) }
      default:
        throw new Error(`no built-in column ${name}`)
    }
  }
}

function holdsTexts(spellings: readonly string[], { logs }: Relation, { texts }: World): boolean {
  if (texts === undefined) return true
  return logs.some(({ id }) => spellings.some((spelling) => texts.get(id)?.has(spelling)))
}

/** The value of the first spelling that the event has. Where a column holds no texts, a number in
 *  another form than its shortest is one, too. */
function readParsed(spellings: readonly string[], mayBeText: boolean): Reader {
  return ({ event }): Cell => {
    for (const spelling of spellings) {
      const value = event?.columns[spelling]
      if (value === undefined || value === '') continue
      if (typeof value === 'number') return { kind: 'number', value, text: JSON.stringify(value) }
      const text = String(value)
      const isNumber = !mayBeText && event?.otherForms?.has(spelling) === true
      if (isNumber) return { kind: 'number', value: Number(text), text, exact: text }
      return { kind: 'text', text }
    }
    return null
  }
}
