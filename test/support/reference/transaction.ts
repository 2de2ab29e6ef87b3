// Transactions: events of several steps that belong together by a key
// (search-language#transaction).

import { readerOf } from './columns.ts'
import {
  type Cell,
  numberCell,
  type ReferenceEvent,
  type Relation,
  tableColumn,
  tableRow,
  textCell,
  type World,
} from './run/model.ts'
import type { Query, Transaction } from './tree.ts'
import { cellText, identity } from './values.ts'

type StepEvent = {
  readonly step: number
  readonly event: ReferenceEvent
  readonly key: string
  /** Whole milliseconds: all that is printed and compared with the limit. */
  readonly ms: number
}

type Open = {
  readonly key: string
  readonly members: StepEvent[]
  state: 'OPEN' | 'CLOSE' | 'TIME CLOSE'
}

export function transactions(
  source: Transaction,
  world: World,
  evaluateQuery: (query: Query, world: World) => Relation,
): Relation {
  const { steps, limitMinutes, isUniqueKey } = source
  const last = steps.length - 1
  const found = steps.flatMap(({ filter, key }, step): StepEvent[] => {
    const relation = evaluateQuery(
      { kind: 'query', source: { kind: 'filterSource', filter }, stages: [] },
      world,
    )
    const ref = { kind: 'column', name: key, origin: 'any' } as const
    const read = readerOf(relation, ref, world)
    return relation.rows.flatMap((row): StepEvent[] => {
      const cell: Cell = read(row)
      if (cell === null || row.event === null) return []
      const ms = Math.floor(row.event.timestampMs)
      return [{ step, event: row.event, key: cellText(cell, world.zone), ms }]
    })
  })
  found.sort(
    (a, b) =>
      a.event.timestampMs - b.event.timestampMs ||
      a.event.arrival - b.event.arrival ||
      a.step - b.step,
  )
  const all: Open[] = []
  const open = new Map<string, Open>()
  for (const member of found) {
    const id = identity(textCell(member.key))
    let current = open.get(id)
    if (current && limitMinutes !== null) {
      const firstMs = current.members[0]?.ms ?? 0
      if (member.ms - firstMs > limitMinutes * 60_000) {
        current.state = 'TIME CLOSE'
        open.delete(id)
        current = undefined
      }
    }
    const lastStep = current?.members.at(-1)?.step ?? -1
    if (member.step === 0 && !(isUniqueKey && current && lastStep === 0)) {
      const started: Open = { key: member.key, members: [member], state: 'OPEN' }
      all.push(started)
      open.set(id, started)
      current = started
    } else if (current && member.step >= lastStep) current.members.push(member)
    else continue
    if (member.step === last) {
      const isWhole = steps.every((_, step) => current.members.some((own) => own.step === step))
      current.state = isWhole ? 'CLOSE' : 'TIME CLOSE'
      open.delete(id)
    }
  }
  return toTable(source, all, world)
}

function toTable({ steps }: Transaction, all: readonly Open[], world: World): Relation {
  const pairs = steps.slice(1).map((step, index) => ({ from: steps[index], to: step, index }))
  const shown = [
    tableColumn('key', 'key'),
    tableColumn('start', 'start time'),
    tableColumn('end', 'end time'),
    tableColumn('time', 'transaction time'),
    ...pairs.map(({ from, to, index }) =>
      tableColumn(`t${index}`, `${from?.name}->${to.name} time`),
    ),
    tableColumn('count', 'transaction eventscount'),
    ...steps.map(({ name }, index) => tableColumn(`c${index}`, `${name} eventscount`)),
    tableColumn('state', 'transaction fullstate'),
  ]
  const rows = all.map(({ key, members, state }) => {
    const times = members.map(({ ms }) => ms)
    const [first, last] = [Math.min(...times), Math.max(...times)]
    const of = (step: number) => members.filter((member) => member.step === step)
    return tableRow([
      ['key', textCell(key)],
      ['start', { kind: 'date', ms: first }],
      ['end', { kind: 'date', ms: last }],
      ['time', numberCell(last - first)],
      ...pairs.map(({ index }) => {
        const [a, b] = [of(index)[0], of(index + 1)[0]]
        const value = a && b ? b.ms - a.ms : null
        return [`t${index}`, numberCell(value)] as const
      }),
      ['count', numberCell(members.length)],
      ...steps.map((_, index) => [`c${index}`, numberCell(of(index).length)] as const),
      ['state', textCell(state)],
    ])
  })
  return { kind: 'table', rows, shown, hidden: [], logs: world.logs }
}
