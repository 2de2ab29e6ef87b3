// What is wrong with a price book, and where.

export type BookProblem = {
  /** JSON pointer into the document; empty: the whole. */
  readonly path: string
  /** What is wrong and what to do. */
  readonly message: string
}

export function problem(path: string, message: string): BookProblem {
  return { path, message }
}

/** Those that were there before, each named once more. */
export function findRepeated(
  names: readonly string[],
  toPath: (at: number) => string,
): BookProblem[] {
  return names.flatMap((name, at) =>
    names.indexOf(name) < at ? [problem(toPath(at), `"${name}" stands twice: remove one`)] : [],
  )
}

export function findUnknown(
  names: readonly (string | null)[],
  known: ReadonlySet<string>,
  what: string,
  toPath: (at: number) => string,
): BookProblem[] {
  return names.flatMap((name, at) =>
    name === null || known.has(name)
      ? []
      : [problem(toPath(at), `the book has no ${what} "${name}": add it, or name another`)],
  )
}
