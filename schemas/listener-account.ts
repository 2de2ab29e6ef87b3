// The listener account (specification, Resources: listener account; decisions 2.6, 3.1-3.8).
// An account is a row of immutable versions: a change makes the next version, and events carry the version they met.

/** How one log becomes many by the source device. */
export type SourceSplit = 'none' | 'source' | 'mask'

export type SplitColumn = { readonly key: string; readonly isHost: boolean }

export type ListenerAccount = {
  readonly id: number
  readonly version: number
  readonly name: string
  readonly description: string
  readonly isEnabled: boolean
  /** Levels from the root, at least one. */
  readonly parentFolder: readonly string[]
  /** Id of the collection policy given to new logs. */
  readonly policyId: number
  readonly appTags: readonly string[]
  /** '' for none. */
  readonly logNamePrefix: string
  readonly sourceSplit: SourceSplit
  readonly maskBitsV4: number
  readonly maskBitsV6: number
  /** First present key wins; default message, msg, log, event (decision 3.6). */
  readonly messageKeys: readonly string[]
  /** Levels of Split by JSON Columns, last one is the log name; [] for none. */
  readonly splitColumns: readonly SplitColumn[]
  /** Tried before the standard time keys; null for none (decision 3.7). */
  readonly timeKey: string | null
  /** IANA zone for times without a zone; null: the system's. */
  readonly timeZone: string | null
  /** 0 none, 1 top level, n levels (decision 3.8). */
  readonly jsonParsingLevel: number
}
