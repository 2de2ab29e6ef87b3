export type RefusedArgument = { readonly argument: string; readonly reason: string }

/** As the server refuses one argument: `-query: is missing`; undefined for any other failure. */
export function refusedArgument(error: string): RefusedArgument | undefined {
  const [, argument, reason] = /^-(\w+): (.+)$/s.exec(error) ?? []
  return argument === undefined || reason === undefined ? undefined : { argument, reason }
}
