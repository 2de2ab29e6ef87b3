// The list of faults: picked once from a seed, kept as JSON, applied to any later tree.
import { makeRandom } from '../../test/support/reference/random/random.ts'
import { type Candidate, KINDS } from './find-faults.ts'

/** A line is found again by its text; of several with that text, by its neighbors or number. */
export type Fault = Candidate & {
  readonly number: number
  readonly above: string
  readonly below: string
  /** Which of the lines with this text it is, from 1. */
  readonly occurrence: number
}

/** Name → text of all files of a tree. */
export type Texts = ReadonlyMap<string, string>

export const laneOf = ({ file }: { readonly file: string }): string => file.split('/')[0] ?? ''

export const nameOf = ({ number, kind, file, line }: Fault): string =>
  `${number} ${kind} ${file}:${line}`

/**
 * As many of each kind, each from the lane with the fewest so far, at most one of a file. The order
 * of candidates comes from the seed alone, so leaving one out replaces only that one.
 */
export function pickFaults(
  candidates: readonly Candidate[],
  options: { readonly seed: number; readonly count: number },
): Candidate[] {
  const random = makeRandom(options.seed)
  const keyed = candidates.map((candidate) => ({ candidate, key: random.next() }))
  const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ candidate }) => candidate)
  const picked: Candidate[] = []
  const inLane = (lane: string) => picked.filter((fault) => laneOf(fault) === lane).length
  for (let turn = 0; picked.length < options.count; turn += 1) {
    if (turn >= options.count * KINDS.length)
      throw new Error(`there are only ${picked.length} faults to pick`)
    const kind = KINDS[turn % KINDS.length]
    const files = new Set(picked.map(({ file }) => file))
    const open = shuffled.filter((fault) => fault.kind === kind && !files.has(fault.file))
    const [first, ...others] = open
    if (first === undefined) continue
    picked.push(others.reduce((a, b) => (inLane(laneOf(b)) < inLane(laneOf(a)) ? b : a), first))
  }
  return picked
}

/** How the line is found again in a later tree. */
export function describeFaults(picked: readonly Candidate[], texts: Texts): Fault[] {
  return picked.map((candidate, at) => {
    const lines = (texts.get(candidate.file) ?? '').split('\n')
    const index = candidate.line - 1
    return {
      number: at + 1,
      ...candidate,
      above: lines[index - 1] ?? '',
      below: lines[index + 1] ?? '',
      occurrence: lines.slice(0, index + 1).filter((line) => line === candidate.before).length,
    }
  })
}

/** The file with the fault, which may have moved; undefined when the line is not there any more. */
export function applyFault(
  fault: Fault,
  texts: Texts,
): { readonly file: string; readonly text: string } | undefined {
  const own = texts.get(fault.file)
  const files = own === undefined ? [...texts] : [[fault.file, own] as const]
  const found = files.flatMap(([file, text]) => {
    const lines = text.split('\n')
    const same = [...lines.keys()].filter((at) => lines[at] === fault.before)
    const near = same.filter(
      (at) => (lines[at - 1] ?? '') === fault.above && (lines[at + 1] ?? '') === fault.below,
    )
    // Without its file, only a line between the same two is taken for the same line.
    const only =
      near.length === 1 ? near[0] : own === undefined ? undefined : same[fault.occurrence - 1]
    return only === undefined ? [] : [{ file, text: lines.with(only, fault.after).join('\n') }]
  })
  return found.length === 1 ? found[0] : undefined
}
