// From one run of a monitor to the next: which alerts open, are told again, and close. Pure: the
// state lies in the database, and is changed in the transaction that records the run.
import { z } from 'zod'
import type { MonitorSettings } from '../../../schemas/monitors/monitor.ts'
import type { Verdict } from './judge.ts'

const groupState = z.object({
  isOpen: z.boolean(),
  /** Runs one after the other. */
  fails: z.int(),
  passes: z.int(),
  /** Of the open alert. */
  isTold: z.boolean(),
  /** Due times of runs that have told an opened alert, within the last hour. */
  tellings: z.array(z.number()).readonly(),
})
type GroupState = Readonly<z.infer<typeof groupState>>

/** As it is kept: a group may have any name. */
export const groupStates = z.array(z.tuple([z.string(), groupState]))
export type GroupStates = ReadonlyMap<string, GroupState>

export type HeldBack = '' | 'muted' | 'maintenance' | 'acknowledged' | 'flapping'

export type AlertChange = {
  readonly kind: 'opened' | 'repeated' | 'closed'
  readonly group: string
  readonly count: number
  /** '': it is told. `quiet`: nobody is told of this kind. */
  readonly heldBack: HeldBack | 'quiet'
}

type AlertRules = Pick<
  MonitorSettings,
  'isOnce' | 'openAfter' | 'closeAfter' | 'maxAlertsPerHour' | 'tellsEnd'
>

const HOUR_MS = 3_600_000
const NEW: GroupState = { isOpen: false, fails: 0, passes: 0, isTold: false, tellings: [] }

export function stepAlerts(
  rules: AlertRules,
  before: GroupStates,
  run: {
    readonly verdicts: ReadonlyMap<string, Verdict>
    readonly dueMs: number
    /** What holds a telling back now. */
    readonly heldBack: (group: string) => HeldBack
  },
): { readonly states: GroupStates; readonly changes: readonly AlertChange[] } {
  const states = new Map<string, GroupState>()
  const changes: AlertChange[] = []
  for (const [group, { isFailing, count }] of run.verdicts) {
    const state = before.get(group) ?? NEW
    const tellings = state.tellings.filter((ms) => ms > run.dueMs - HOUR_MS && ms <= run.dueMs)
    const next = isFailing
      ? fail({ ...state, tellings }, rules, { ...run, group })
      : pass({ ...state, tellings }, rules)
    if (next.change !== undefined) changes.push({ ...next.change, group, count })
    const { isOpen, fails, tellings: kept } = next.state
    if (isOpen || fails > 0 || kept.length > 0) states.set(group, next.state)
  }
  return { states, changes }
}

type Next = {
  readonly state: GroupState
  readonly change?: Pick<AlertChange, 'kind' | 'heldBack'>
}

function fail(
  state: GroupState,
  { openAfter, isOnce, maxAlertsPerHour }: AlertRules,
  { dueMs, heldBack, group }: { dueMs: number; heldBack: (of: string) => HeldBack; group: string },
): Next {
  const failed = { ...state, fails: state.fails + 1, passes: 0 }
  if (!failed.isOpen && failed.fails < openAfter) return { state: failed }
  const isFlapping = maxAlertsPerHour > 0 && failed.tellings.length >= maxAlertsPerHour
  const isFirst = !failed.isTold
  const why = heldBack(group) || (isFirst && isFlapping ? 'flapping' : '')
  const tellings =
    why === '' && isFirst && maxAlertsPerHour > 0 ? [...failed.tellings, dueMs] : failed.tellings
  if (!failed.isOpen) {
    const opened = { ...failed, isOpen: true, isTold: why === '', tellings }
    return { state: opened, change: { kind: 'opened', heldBack: why } }
  }
  // What was held back is told as soon as nothing holds it any more.
  if ((isOnce && failed.isTold) || why !== '') return { state: failed }
  const told = { ...failed, isTold: true, tellings }
  return { state: told, change: { kind: 'repeated', heldBack: '' } }
}

function pass(state: GroupState, { closeAfter, tellsEnd }: AlertRules): Next {
  const passed = { ...state, fails: 0, passes: state.passes + 1 }
  if (!passed.isOpen) return { state: { ...passed, passes: 0 } }
  if (passed.passes < closeAfter) return { state: passed }
  const closed = { ...passed, isOpen: false, passes: 0, isTold: false }
  const isTold = tellsEnd && state.isTold
  return { state: closed, change: { kind: 'closed', heldBack: isTold ? '' : 'quiet' } }
}
