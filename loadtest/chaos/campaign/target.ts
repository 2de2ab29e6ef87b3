// The border between a campaign and the form of the product it is held on: what is attacked, where
// it is reached, what can be done to it.
import type { Secrets } from '../../../test/support/product/product.ts'
import type { Finding } from './finding.ts'

/** Integers from 0 to below `limit`; seeded, so that a plan can be replayed. */
export type Random = (limit: number) => number

/** One use of a fault, as it was planned. */
export type Strike = {
  readonly random: Random
  /** How long what stands still stands still and what is away is away; a fault without a length of
   *  its own does not look at it. */
  readonly durationMs: number
  /** Does the work while no request is open: for what may double or lose an open one. */
  quietly(work: () => Promise<void>): Promise<void>
}

export type Fault = {
  /** As in the table; also how `--only` calls it. */
  readonly name: string
  /** How often it comes beside the others. */
  readonly weight: number
  /** True when a process that counts events may end by it: its metrics begin at zero again. */
  readonly endsCounts: boolean
  /** True when it may be one of the long ones (`--long`). */
  readonly canBeLong: boolean
  /** Does it and undoes it. What it leaves behind is working again, or comes back by itself within
   *  a minute. */
  strike(strike: Strike): Promise<void>
}

/** What else is at work while senders send, and is checked after each round. */
export type Keeper = {
  release(): void
  /** Resolves when all that was begun has its answer; fails at the limit. */
  hold(limitMs: number): Promise<void>
  end(): void | Promise<void>
  /** `gone`: events that were received and are rightly no more. */
  check(): Promise<{
    readonly findings: readonly Finding[]
    readonly gone: number
    readonly told: string
  }>
}

export type Target = {
  /** As the table names it, e.g. 'embedded'. */
  readonly form: string
  readonly secrets: Secrets
  readonly faults: readonly Fault[]
  readonly keepers?: readonly Keeper[]
  /** Where a sender posts; `attempt` counts its tries of one request, so that after a pool the
   *  next one may be elsewhere. */
  senderUrl(sender: number, attempt: number): string
  searchUrl(): string
  /** The metrics of every process that counts events, each once. Fails when one cannot be read. */
  readMetrics(): Promise<string>
  /** Resolves when every part says that it is ready; fails at the limit. */
  untilReady(limitMs: number): Promise<void>
  /** The end of what the processes printed, for a campaign that went wrong. */
  output(): string
  /** In order. Resolves with what is wrong after it (a process that lives on, one that had to be
   *  killed). */
  stop(): Promise<string[]>
  /** At once, whatever is left; also what a fault has not undone. Never fails. */
  destroy(options: { keepData: boolean }): Promise<void>
}
