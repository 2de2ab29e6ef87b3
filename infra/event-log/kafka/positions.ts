// Positions live in the offsets that our consumer group has committed, intents in the metadata
// beside them.
import type { Position } from '../port.ts'
import type { KafkaLink } from './link.ts'

/** Membership in one generation of the group; a commit of an older one is refused. */
export type Membership = { readonly generation: number; readonly memberId: string }

/** A commit of nobody: taken only while the group has no members. */
export const NO_MEMBER: Membership = { generation: -1, memberId: '' }

export class Positions {
  readonly #link: KafkaLink
  readonly #topic: string
  readonly #groupId: string

  constructor(options: { link: KafkaLink; topic: string; group: string }) {
    this.#link = options.link
    this.#topic = options.topic
    this.#groupId = options.group
  }

  /** undefined: none was ever committed. Fails with KafkaTrouble. */
  async fetch(partition: number): Promise<Position | undefined> {
    const topics = [{ topic: this.#topic, partitions: [{ partition }] }]
    const answer = await this.#link.atCoordinator((broker) =>
      broker.offsetFetch({ groupId: this.#groupId, topics }),
    )
    const found = answer.responses[0]?.partitions[0]
    const next = Number(found?.offset ?? -1)
    return next < 0 ? undefined : { next, metadata: found?.metadata ?? '' }
  }

  /** Durable when it resolves. Fails with KafkaTrouble; see isFenced. */
  async commit(
    partition: number,
    { next, metadata }: Position,
    { generation, memberId }: Membership,
  ): Promise<void> {
    const partitions = [{ partition, offset: String(next), metadata }]
    await this.#link.atCoordinator((broker) =>
      broker.offsetCommit({
        groupId: this.#groupId,
        groupGenerationId: generation,
        memberId,
        topics: [{ topic: this.#topic, partitions }],
      }),
    )
  }
}
