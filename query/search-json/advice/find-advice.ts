// What to change in a query that finds nothing: scopes, window, parts of the filter and stages are
// tried one after the other, as searches of the same user. Only what was tried and finds something
// is advised.
import type { TimeWindow } from '../../../schemas/time/time-window.ts'
import {
  partsOf,
  replacePart,
  withinScopes,
  withoutScope,
} from '../../language/advice/filter-parts.ts'
import { applyEdits } from '../../language/check/edit.ts'
import type { FilterInput } from '../../language/compile-filter.ts'
import { compileOne, compileSpan } from '../../language/compile-hints.ts'
import { compileSearch } from '../../language/compile-search.ts'
import { printFilter, printQuery, printScope } from '../../language/print/print-query.ts'
import { readQuery } from '../../language/read-query.ts'
import type { Filter, Query, Scope } from '../../language/tree.ts'
import type { ReadCall } from '../endpoint.ts'
import { printMs, printWindow } from '../print-time.ts'
import { describePart } from './describe-part.ts'

export type FoundReason = {
  readonly code: 'outside_window' | 'empty_scope' | 'empty_part' | 'empty_together' | 'empty_stage'
  readonly message: string
  readonly name: string | null
  readonly nearest: string | null
}
export type Advice = {
  readonly query: string
  readonly start: string | null
  readonly end: string | null
}
export type Advised = { readonly reasons: readonly FoundReason[]; readonly advice: Advice | null }

/** Parts and stages that are looked at. */
const MAX_PARTS = 8

export async function findAdvice(text: string, call: ReadCall<unknown>): Promise<Advised> {
  return await new AdviceSearch(call).find(text)
}

class AdviceSearch {
  readonly #call: ReadCall<unknown>
  readonly #reasons: FoundReason[] = []
  #window: TimeWindow

  constructor(call: ReadCall<unknown>) {
    this.#call = call
    this.#window = call.window
  }

  async find(text: string): Promise<Advised> {
    const { edits } = readQuery(this.#call.filter(text))
    const edited = applyEdits(text, edits)
    if (edits.length > 0 && (await this.#finds(edited))) return this.#advise(edited)
    const { query } = readQuery(this.#call.filter(edited))
    if (query.source.kind === 'transaction') return { reasons: [], advice: null }
    let filter = await this.#scopes(query.source.filter)
    filter = await this.#parts(filter)
    filter = await this.#together(filter)
    const changed = await this.#stages({ ...query, source: { ...query.source, filter } })
    const advised = printQuery(changed)
    if (await this.#finds(advised)) return this.#advise(advised)
    return { reasons: this.#reasons, advice: null }
  }

  #advise(query: string): Advised {
    const isSame = this.#window === this.#call.window
    const { start, end } = printWindow(this.#window)
    return {
      reasons: this.#reasons,
      advice: { query, start: isSame ? null : start, end: isSame ? null : end },
    }
  }

  #say(code: FoundReason['code'], message: string, name: string, nearest: string | null = null) {
    this.#reasons.push({ code, message, name, nearest })
  }

  #input(filter: Filter): FilterInput {
    return this.#call.filter(printFilter(filter), this.#window)
  }

  /** False also for what is not known. */
  async #isEmpty(filter: Filter): Promise<boolean> {
    return (await this.#call.hint(compileOne(this.#input(filter))))?.length === 0
  }

  async #finds(text: string): Promise<boolean> {
    const { query } = readQuery(this.#call.filter(text))
    if (query.source.kind === 'transaction') return false
    const one = await this.#call.hint(compileOne(this.#input(query.source.filter)))
    if (one === undefined || one.length === 0) return false
    return query.stages.length === 0 || (await this.#hasRows(query)) === true
  }

  /** Undefined: not known. The columns that `transpose` makes are not asked for. */
  async #hasRows(query: Query): Promise<boolean | undefined> {
    if (query.stages.some(({ kind }) => kind === 'transpose')) return undefined
    const input = this.#call.filter(printQuery(query), this.#window)
    const rows = await this.#call.hint(compileSearch({ ...input, maxRows: 1 }))
    return rows === undefined ? undefined : rows.length > 0
  }

  /** A scope without an event at all is left out; of one with events elsewhere the window is
   *  theirs. */
  async #scopes(filter: Filter): Promise<Filter> {
    let left = filter
    const parts = partsOf(filter).slice(0, MAX_PARTS)
    const chains = new Map<string, readonly Scope[]>(
      parts.map(({ scopes }) => [scopes.map(printScope).join(' '), scopes]),
    )
    for (const [name, scopes] of chains) {
      const all = withinScopes({ kind: 'everything', start: 0, end: 0 }, scopes)
      if (!(await this.#isEmpty(all))) continue
      const ever = { startMs: null, endMs: null }
      const times = await this.#call.hint(compileSpan(this.#call.filter(printFilter(all), ever)))
      if (times === undefined) continue
      const [oldest, newest] = times.map(([ms]) => Number(ms)).sort((a, b) => a - b)
      if (oldest === undefined || newest === undefined) {
        if (scopes.length === 0) continue
        this.#say('empty_scope', `no event that you may see is ${name}`, name)
        for (const scope of scopes) left = withoutScope(left, scope)
        continue
      }
      this.#window = { startMs: oldest, endMs: newest + 1 }
      const [from, to] = [printMs(oldest), printMs(newest)]
      const what = name === '' ? 'the events that you may see' : `events ${name}`
      const message = `${what} are from ${from} to ${to}: give the call these times`
      this.#say('outside_window', message, name)
    }
    return left
  }

  async #parts(filter: Filter): Promise<Filter> {
    let left = filter
    for (const { leaf, scopes } of partsOf(filter).slice(0, MAX_PARTS)) {
      if (leaf.kind === 'everything' || !(await this.#isEmpty(withinScopes(leaf, scopes)))) continue
      const around = withinScopes({ kind: 'everything', start: 0, end: 0 }, scopes)
      const told = await describePart(leaf, this.#input(around), {
        hint: this.#call.hint,
        isEmpty: (other) => this.#isEmpty(withinScopes(other, scopes)),
      })
      this.#say('empty_part', told.message, printFilter(leaf), told.nearest)
      left = replacePart(left, leaf, told.filter)
    }
    return left
  }

  /** Each part alone finds something: those are left out, from the last, that leave nothing. */
  async #together(filter: Filter): Promise<Filter> {
    const parts = partsOf(filter).slice(0, MAX_PARTS)
    if (parts.length < 2 || !(await this.#isEmpty(filter))) return filter
    for (const { leaf } of parts.toReversed()) {
      const without = replacePart(filter, leaf, undefined)
      if (await this.#isEmpty(without)) continue
      this.#sayTogether(leaf)
      return without
    }
    let left = filter
    for (const { leaf } of parts.toReversed()) {
      left = replacePart(left, leaf, undefined)
      this.#sayTogether(leaf)
      if (!(await this.#isEmpty(left))) return left
    }
    return left
  }

  #sayTogether(leaf: Filter): void {
    const name = printFilter(leaf)
    const message = `events pass '${name}', but none of them passes the rest of the filter, too: leave it out, or join it with or`
    this.#say('empty_together', message, name)
  }

  /** A stage that leaves no row is left out; a `limit` begins at the first row. */
  async #stages(query: Query): Promise<Query> {
    let left = query
    for (let round = 0; round < MAX_PARTS; round += 1) {
      if ((await this.#hasRows(left)) !== false) return left
      const at = await this.#emptyStage(left)
      const stage = left.stages[at]
      if (stage === undefined) return left
      const name = printQuery({ ...left, stages: [stage] }).slice(
        printQuery({ ...left, stages: [] }).length + 3,
      )
      const isOffset = stage.kind === 'limit' && stage.offset > 0
      const write = isOffset
        ? 'there are fewer rows than its offset'
        : 'rows come to it, and none passes: change it, or leave it out'
      this.#say('empty_stage', `the stage '${name}' leaves no row; ${write}`, name)
      const stages = isOffset
        ? left.stages.with(at, { ...stage, offset: 0 })
        : left.stages.toSpliced(at, 1)
      left = { ...left, stages }
    }
    return left
  }

  async #emptyStage(query: Query): Promise<number> {
    for (let at = 0; at < Math.min(query.stages.length, MAX_PARTS); at += 1) {
      const isFirst = { ...query, stages: query.stages.slice(0, at + 1) }
      if ((await this.#hasRows(isFirst)) === false) return at
    }
    return -1
  }
}
