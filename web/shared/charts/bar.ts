// A bar of a chart, stacked of the parts of a series each.

export type Bar = {
  /** Below it. */
  readonly label: string
  /** Above, when it is looked at. */
  readonly title: string
  /** In the order of `series`. */
  readonly values: readonly number[]
}
