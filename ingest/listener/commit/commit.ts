// From judged events to a receipt: the last step of every way in, whether it came by HTTP, from a
// file or by syslog.
import type { BlockRequest } from '../../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import type { ListenerFailureCode } from '../admission/outcome.ts'
import type { Telemetry } from '../telemetry.ts'
import type { GroupCommit } from './group-commit.ts'
import { partitionOf } from './partition.ts'
import type { Receipts } from './receipt.ts'

export type EventsToCommit = Omit<BlockRequest, 'accountId' | 'accountVersion'> & {
  /** The version that the request met: its settings apply to these events for ever. */
  readonly account: ListenerAccount
}

export type CommitOutcome =
  | { readonly kind: 'durable'; readonly receipt: string }
  | { readonly kind: 'failed'; readonly code: ListenerFailureCode }

export class Commit {
  readonly #groups: GroupCommit
  readonly #partitions: number
  readonly #receipts: Receipts
  readonly #telemetry: Pick<Telemetry, 'stored' | 'undecided'>

  constructor(options: {
    groups: GroupCommit
    partitions: number
    receipts: Receipts
    telemetry: Pick<Telemetry, 'stored' | 'undecided'>
  }) {
    this.#groups = options.groups
    this.#partitions = options.partitions
    this.#receipts = options.receipts
    this.#telemetry = options.telemetry
  }

  /**
   * Makes events durable and gives their receipt (decisions 2.3, 2.4, 2.7, 2.8).
   *
   * The caller has found the account and judged the events: `ranges` holds at least one accepted
   * event, `form` is the name of an event form that the writer knows, `origins` says one place an
   * accepted event. `body` must stay as it is until `done`, and its bytes are the caller's to count
   * (Admission.enter); nothing is refused here because much is under way.
   *
   * `done` is called once, perhaps before this returns:
   * - `durable`: flushed to disk, or acknowledged by all replicas that are in sync. Each accepted
   *   event is then stored once, over restarts of anything; the rejected ones are kept in
   *   System->rejected. Only now may a sender be told that it is rid of them.
   * - `failed`: the sender keeps its events and repeats them. They may become durable all the same:
   *   with the same `idempotencyKey` and body the repeat is stored once.
   *
   * Requests of one sender (account and `hostName`, else `peer`) keep the order of these calls.
   */
  commitEvents(events: EventsToCommit, done: (outcome: CommitOutcome) => void): void {
    const { account, hostName, peer, body, ranges, rejections } = events
    const partition = partitionOf(account.id, hostName || peer, this.#partitions)
    if (this.#groups.isHanging(partition)) {
      done({ kind: 'failed', code: 'listener.event_log_unavailable' })
      return
    }
    const request: BlockRequest = {
      accountId: account.id,
      accountVersion: account.version,
      receivedMs: events.receivedMs,
      hostName,
      peer,
      idempotencyKey: events.idempotencyKey,
      form: events.form,
      body,
      ranges,
      rejections,
      origins: events.origins,
    }
    const accepted = ranges.length / 2
    this.#groups.add(partition, request, (committed) => {
      if (committed.kind === 'failed') {
        this.#telemetry.undecided(accepted + rejections.length)
        done(committed)
        return
      }
      this.#telemetry.stored({ accepted, rejected: rejections.length, bytes: body.length })
      done({ kind: 'durable', receipt: this.#receipts.print(committed.place, account.id) })
    })
  }
}
