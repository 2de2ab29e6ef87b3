import type { Kysely } from 'kysely'

export type Migration = {
  /** 1, 2, 3 …; applied in this order. */
  readonly number: number
  readonly name: string
  apply(db: Kysely<unknown>): Promise<void>
}
