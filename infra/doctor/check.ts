// One check of `doctor`: looks, changes nothing, and says what is wrong and what to do.
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import type { OpenedMetastore } from '../metastore/open.ts'
import type { RunningProduct } from './running-product.ts'

/** `bad`: an operator has to do something now; `warn`: soon, or it is not what he expects. */
export const GRADES = ['ok', 'warn', 'bad'] as const
export type Grade = (typeof GRADES)[number]

export type Finding = {
  readonly grade: Grade
  readonly text: string
  /** What to do; absent when nothing is. */
  readonly advice?: string
}

export type Examination = {
  readonly config: Config
  readonly clock: Clock
  /** Undefined while it cannot be opened; that is a finding of its own. */
  readonly metastore: OpenedMetastore | undefined
  /** Undefined while the product does not run here. */
  readonly product: RunningProduct | undefined
  /** Logs may be named: the caller may know each of them. */
  readonly mayNameLogs: boolean
}

export type Check = {
  readonly name: string
  /** Keeps its thread busy, for seconds at worst. */
  readonly isHeavy?: true
  /** None: it has nothing to say here. What it throws is a finding, too. */
  run(examination: Examination): Promise<readonly Finding[]> | readonly Finding[]
}

export type NamedFinding = Finding & { readonly check: string }

export function ok(text: string): readonly Finding[] {
  return [{ grade: 'ok', text }]
}

export function warn(text: string, advice: string): readonly Finding[] {
  return [{ grade: 'warn', text, advice }]
}

export function bad(text: string, advice: string): readonly Finding[] {
  return [{ grade: 'bad', text, advice }]
}
