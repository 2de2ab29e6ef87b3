/** `{ name: value }`, or nothing: an absent option is not the same as one that is undefined. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [K in Name]?: Value } {
  const given: { [K in Name]?: Value } = {}
  if (value !== undefined) given[name] = value
  return given
}
