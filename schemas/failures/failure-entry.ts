// One way in which a request can fail, and the form of an area's file.

export type FailureEntry = {
  /** HTTP status of the surface's answer. */
  readonly status: number
  /** Failure code 1–5 of a search answer (decision 4.4). */
  readonly search?: 1 | 2 | 3 | 4 | 5
  /** Code of the ingest answer body (decision 2.3). */
  readonly ingest?: 4 | 5 | 6 | 8 | 9
  readonly retriable?: boolean
  /** `{name}` is replaced with `details.name`. Lower case, no full stop. */
  readonly message: string
}

/** Failures of one area: each code begins with the area's name. */
export type FailuresOf<Area extends string> = Readonly<Record<`${Area}.${string}`, FailureEntry>>
