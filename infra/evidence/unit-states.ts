// What each unit must hold by the chain: its entries played in their order. Pure.
import type { Bounds, EvidenceUnit, LogDigest, ReadEntry } from '../../schemas/keep/evidence.ts'
import { addDigests } from './digest-sums.ts'

export type UnitState = EvidenceUnit & {
  /** Rows from below these places are covered. */
  readonly bounds: Bounds
  /** Of the covered rows, by log. */
  readonly logs: ReadonlyMap<number, LogDigest>
  /** Before it left the store. */
  readonly left: ReadonlyMap<number, LogDigest> | undefined
  /** The entry that changed the unit, which was not signed anew since. */
  readonly changedBy: number | undefined
  /** The entry that told of it last. */
  readonly number: number
}

export function evidenceUnitKey({ policy, day }: EvidenceUnit): string {
  return `${policy} ${day}`
}

/** The units that an entry tells of. */
export function unitsOf(entry: ReadEntry): readonly EvidenceUnit[] {
  const { content } = entry
  if ('units' in content) return content.units
  return 'policy' in content ? [content] : []
}

export class UnitStates {
  readonly #states = new Map<string, UnitState>()

  all(): readonly UnitState[] {
    return [...this.#states.values()]
  }

  find(unit: EvidenceUnit): UnitState | undefined {
    return this.#states.get(evidenceUnitKey(unit))
  }

  /** Number of the entry that was read last. */
  last = 0

  apply(entry: ReadEntry): void {
    const { number } = entry
    switch (entry.kind) {
      case 'day': {
        const { policy, day, bounds, logs } = entry.content
        const unit = { policy, day, bounds, left: undefined, changedBy: undefined, number }
        this.#set({ ...unit, logs: new Map(logs.map((one) => [one.log, one])) })
        return
      }
      case 'retention': {
        const { policy, day, bounds } = entry.content
        const left = this.find(entry.content)?.logs
        const unit = { policy, day, bounds, left, changedBy: undefined, number }
        this.#set({ ...unit, logs: new Map() })
        return
      }
      case 'deletion':
        for (const unit of entry.content.units)
          this.#change(unit, (state) => less(state, unit.logs))
        return
      case 'thaw':
        for (const unit of entry.content.units)
          this.#change(unit, (state) => ({
            ...state,
            logs: state.left ?? state.logs,
            left: undefined,
          }))
        return
      case 'masking':
      case 'damage':
        for (const unit of entry.content.units)
          this.#change(unit, (state) => ({ ...state, changedBy: number }))
        return
      default:
        return
    }
  }

  #change(unit: EvidenceUnit, change: (state: UnitState) => UnitState): void {
    const state = this.find(unit)
    if (state !== undefined) this.#set(change(state))
  }

  #set(state: UnitState): void {
    this.#states.set(evidenceUnitKey(state), state)
  }
}

function less(state: UnitState, removed: readonly LogDigest[]): UnitState {
  const logs = new Map(state.logs)
  for (const one of removed) {
    const before = logs.get(one.log)
    if (before === undefined) continue
    const rows = before.rows - one.rows
    if (rows === 0) logs.delete(one.log)
    else
      logs.set(one.log, { log: one.log, rows, digest: addDigests(before.digest, one.digest, -1n) })
  }
  return { ...state, logs }
}
