// What is wrong with a chain of entries by their hashes: each finding names the entries. An entry
// tells by itself whether it was changed, since it has the hash before it; so a changed entry does
// not bring those behind it under suspicion. Pure.

export type Finding = {
  readonly kind: 'audit' | 'evidence' | 'unit' | 'files'
  /** Number of the entry; the first of several. Absent: it is about no entry. */
  readonly entry?: number
  readonly policy?: number
  readonly day?: number
  readonly log?: number
  readonly rowsExpected?: number
  readonly rowsFound?: number
  readonly text: string
}

export type Link = {
  readonly number: number
  /** Null: it has none. */
  readonly previous: string | null
  readonly hash: string | null
  /** What its hash must be by its content and `previous`. */
  readonly own: string
}

/** What is known of an entry from elsewhere; `hash` undefined: only that it was there. */
export type ChainEnd = { readonly number: number; readonly hash?: string; readonly from: string }

type Begin = {
  /** The chain goes on behind this entry; its hash where it is known. */
  readonly after: number
  readonly afterHash: string | undefined
  readonly ends: readonly ChainEnd[]
}

const NAMES = { audit: 'the audit log', evidence: 'the evidence' } as const

/** Checks links as they come, so that a long chain need not be in memory. */
export class LinkCheck {
  readonly findings: Finding[] = []
  readonly #kind: 'audit' | 'evidence'
  readonly #ends = new Map<number, ChainEnd[]>()
  #before: { readonly number: number; readonly hash: string | undefined; readonly isBad: boolean }

  constructor(kind: 'audit' | 'evidence', { after, afterHash, ends }: Begin) {
    this.#kind = kind
    this.#before = { number: after, hash: afterHash, isBad: false }
    for (const end of ends) this.#ends.set(end.number, [...(this.#ends.get(end.number) ?? []), end])
  }

  add({ number, previous, hash, own }: Link): void {
    const before = this.#before
    const isGap = number !== before.number + 1
    if (isGap) this.#missing(before.number + 1, number - 1)
    const known = this.#ends.get(number) ?? []
    this.#ends.delete(number)
    const isChanged = hash !== own
    const isCutOff =
      !isGap && !before.isBad && before.hash !== undefined && previous !== before.hash
    const other = known.find((end) => end.hash !== undefined && end.hash !== hash)
    if (isChanged) this.#name(number, 'was changed')
    else if (isCutOff)
      this.#name(number, `does not follow entry ${before.number}: one of the two was written anew`)
    else if (other !== undefined) this.#name(number, `is another than ${other.from} says`)
    this.#before = { number, hash: hash ?? undefined, isBad: isChanged || isCutOff }
  }

  end(): void {
    const { number } = this.#before
    const later = [...this.#ends.values()].flat().filter((end) => end.number > number)
    const last = later.sort((a, b) => b.number - a.number)[0]
    if (last !== undefined) this.#missing(number + 1, last.number, last.from)
  }

  #missing(from: number, to: number, says?: string): void {
    const which = from === to ? `entry ${from} is` : `the entries ${from} to ${to} are`
    const why = says === undefined ? '' : `, which ${says} has`
    const text = `${which} missing in ${NAMES[this.#kind]}${why}`
    this.findings.push({ kind: this.#kind, entry: from, text })
  }

  #name(number: number, what: string): void {
    const text = `entry ${number} of ${NAMES[this.#kind]} ${what}`
    this.findings.push({ kind: this.#kind, entry: number, text })
  }
}

export function checkLinks(
  kind: 'audit' | 'evidence',
  links: Iterable<Link>,
  begin: Begin,
): readonly Finding[] {
  const check = new LinkCheck(kind, begin)
  for (const link of links) check.add(link)
  check.end()
  return check.findings
}
