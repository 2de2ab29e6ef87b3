// Tags in the order in which their members can be found: one that asks for logs with another tag
// comes after it.

export type Ordered<T> = {
  readonly tags: readonly T[]
  /** Tags that ask for each other in a circle, from one back to it; undefined: there is none. */
  readonly circle: readonly T[] | undefined
}

export function orderTags<T>(
  tags: readonly T[],
  asksFor: (tag: T, other: T) => boolean,
): Ordered<T> {
  const ordered: T[] = []
  const done = new Set<T>()
  const open: T[] = []
  let circle: T[] | undefined
  const visit = (tag: T) => {
    if (done.has(tag)) return
    const at = open.indexOf(tag)
    if (at >= 0) {
      circle ??= [...open.slice(at), tag]
      return
    }
    open.push(tag)
    for (const other of tags) if (asksFor(tag, other)) visit(other)
    open.pop()
    done.add(tag)
    ordered.push(tag)
  }
  for (const tag of tags) visit(tag)
  return { tags: ordered, circle }
}
