/** Behind the last comma of what is typed, each that is not there yet. Pure. */
export function completeList(typed: string, names: readonly string[]): readonly string[] {
  if (typed.trimStart().startsWith('[')) return []
  const before = typed.slice(0, typed.lastIndexOf(',') + 1)
  const there = new Set(before.split(',').map((one) => one.trim()))
  return names
    .filter((name) => !name.includes(',') && !there.has(name))
    .map((name) => `${before}${name}`)
}
