/** As `list -details` tells it. */
export type ListedObject = {
  readonly name: string
  readonly origin: 'operator' | 'product' | 'data'
  readonly arguments: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}
