// Which events a deletion means.
export type MeantEvents = {
  readonly logId: number
  readonly log: string
  readonly policyId: number
  /** Times of events; null: no end. */
  readonly window: { readonly startMs: number | null; readonly endMs: number | null }
  /** SQL over `events`. */
  readonly condition: string
}

export type FindEvents = (asked: {
  readonly levels: readonly string[]
  readonly query: string | undefined
  readonly startTime: string | undefined
  readonly endTime: string | undefined
  readonly nowMs: number
}) => Promise<MeantEvents>
