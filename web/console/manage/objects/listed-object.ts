/** As `list -details` tells it. */
export type ListedObject = {
  readonly name: string
  readonly origin: 'operator' | 'product' | 'data'
  readonly arguments: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  /** It is about events that one may not view, and so not one's own to change. */
  readonly isFixed?: true
}

export function mayChoose({ origin, isFixed }: ListedObject): boolean {
  return origin !== 'product' && isFixed !== true
}
