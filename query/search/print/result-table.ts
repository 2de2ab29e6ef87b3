// A finished search result: every cell as it will be printed. Small by construction (decision 4.5:
// inline answers are built whole).

export type ResultTable = {
  readonly columns: readonly string[]
  /** Same order as `columns`; undefined or '' is a missing cell. */
  readonly rows: readonly (readonly (string | undefined)[])[]
}
