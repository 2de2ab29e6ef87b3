// Where one can go, and which of it is meant by what is typed. Pure.

export type Place = {
  /** What kind of place it is; of equal ones those that come first stand first. */
  readonly group: string
  readonly name: string
  readonly href: string
}

const MOST = 12

/** Those that have each word typed, in the name or the group; first those whose name begins so. */
export function findPlaces(places: readonly Place[], typed: string): readonly Place[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return places
    .map((place) => ({ place, grade: gradeOf(place, words) }))
    .filter(({ grade }) => grade > 0)
    .sort((one, other) => other.grade - one.grade)
    .slice(0, MOST)
    .map(({ place }) => place)
}

/** 0: it is not meant. */
function gradeOf({ group, name }: Place, words: readonly string[]): number {
  const low = name.toLowerCase()
  if (words.length === 0) return 1
  if (!words.every((word) => `${group} ${name}`.toLowerCase().includes(word))) return 0
  const whole = words.join(' ')
  if (low.startsWith(whole)) return 4
  if (low.split(/\W+/).some((part) => part.startsWith(words[0] ?? ''))) return 3
  return words.every((word) => low.includes(word)) ? 2 : 1
}
