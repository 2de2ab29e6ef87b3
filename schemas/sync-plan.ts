// What the file of a log sync task says (product facts 12), when it was read.

export type SyncChecksum = {
  readonly algorithm: 'MD5' | 'SHA-1'
  /** Copies are read again and compared so often. */
  readonly intervalMs: number
  /** Copied again so often when the copy is not what was read. */
  readonly retry: number
}

export type SyncDirectory = {
  readonly directory: string
  /** Names with `*` and `?`; [] for all. */
  readonly directoriesToInclude: readonly string[]
  readonly directoriesToExclude: readonly string[]
  readonly filesToInclude: readonly string[]
  readonly filesToExclude: readonly string[]
  /** Levels below the directory; null for all. */
  readonly scanLevel: number | null
}

export type SyncNode = {
  /** Below the repository. */
  readonly directory: string
  /** Of the address book; '' for this machine. */
  readonly account: string
  readonly checksum: SyncChecksum | null
  readonly directories: readonly SyncDirectory[]
}

export type SyncPlan = {
  readonly repository:
    | { readonly folder: string }
    /** S3 account of the address book, and the begin of the keys. */
    | { readonly account: string; readonly prefix: string }
  /** Days after its last change that a file is kept; null: as long as it is there. */
  readonly timeToKeep: number | null
  readonly nodes: readonly SyncNode[]
}

/** `s3://<account of the address book>/<begin of the keys>`. */
export const BUCKET_REPOSITORY = /^s3:\/\/([^/]+)(?:\/(.*))?$/
