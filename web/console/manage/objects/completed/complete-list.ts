// What completes a typed name. Pure.

/** Of more, the list of the browser is slow. */
const MOST_OFFERED = 1000

/** Of many only those that hold what is typed. */
export function completeName(typed: string, names: readonly string[]): readonly string[] {
  if (names.length <= MOST_OFFERED) return names
  const piece = typed.toLowerCase()
  return names.filter((name) => name.toLowerCase().includes(piece)).slice(0, MOST_OFFERED)
}

/** Behind the last comma of what is typed, each that is not there yet. */
export function completeList(typed: string, names: readonly string[]): readonly string[] {
  if (typed.trimStart().startsWith('[')) return []
  const before = /^.*,\s*/s.exec(typed)?.[0] ?? ''
  const there = new Set(before.split(',').map((one) => one.trim()))
  const left = names.filter((name) => !name.includes(',') && !there.has(name))
  return completeName(typed.slice(before.length), left).map((name) => `${before}${name}`)
}

/** Behind the time of the last step of `15m: team lead, 1h: boss`. */
export function completeSteps(typed: string, names: readonly string[]): readonly string[] {
  const colon = typed.indexOf(':', typed.lastIndexOf(',') + 1)
  if (colon === -1) return []
  const typedName = typed.slice(colon + 1).trimStart()
  const before = typed.slice(0, typed.length - typedName.length)
  const fit = names.filter((name) => !/[,"]/.test(name))
  return completeName(typedName, fit).map((name) => `${before}${name}`)
}

export type Listed = { readonly type: string; readonly name: string }

/** Each once; one that a user and a group have says which it is, as the commands want it. */
export function nameEach(listed: readonly Listed[]): readonly string[] {
  const types = new Map<string, Set<string>>()
  for (const { type, name } of listed) types.set(name, (types.get(name) ?? new Set()).add(type))
  return [...types].flatMap(([name, of]) =>
    of.has('user') && of.has('group') ? [`user:${name}`, `group:${name}`] : [name],
  )
}
