// Faults that the related tests do not see, against a whole tier: some at once, since a tier takes
// long. What fails is traced to single faults by the files that fail; else the batch is halved.
import type { Fault, Texts } from './fault-list.ts'
import { laneOf } from './fault-list.ts'
import { findFailing, passes } from './probe.ts'
import type { Scratch } from './scratch.ts'

/** Of each batch. With more, most fail for the same reason: nothing starts. */
const MAX_TRACED_FILES = 10

export type Verdict =
  | { readonly outcome: 'survived' | 'undecided' }
  | { readonly outcome: 'detected'; readonly test: string }

export type Trial = {
  /** Something fails because of these faults. */
  readonly hasFailed: boolean
  /** By the number of the fault, a test that fails because of it alone. */
  readonly detected: ReadonlyMap<number, string>
}

/** Batches of about the same length, of lanes that differ as far as possible. */
export function makeBatches(faults: readonly Fault[], length: number): Fault[][] {
  const byLane = [...faults].sort((a, b) => laneOf(a).localeCompare(laneOf(b)))
  const count = Math.ceil(faults.length / length)
  return Array.from({ length: count }, (_, batch) => byLane.filter((_, at) => at % count === batch))
}

/** Calls `note` once for each fault of the batch, when it is decided. */
export async function decideBatch(
  batch: readonly Fault[],
  attempt: (batch: readonly Fault[]) => Promise<Trial>,
  note: (fault: Fault, verdict: Verdict) => void,
): Promise<void> {
  if (batch.length === 0) return
  const { hasFailed, detected } = await attempt(batch)
  const open: Fault[] = []
  for (const fault of batch) {
    const test = detected.get(fault.number)
    if (test !== undefined) note(fault, { outcome: 'detected', test })
    else if (!hasFailed) note(fault, { outcome: 'survived' })
    else open.push(fault)
  }
  if (open.length < batch.length) return await decideBatch(open, attempt, note)
  const [only] = open
  if (open.length === 1 && only !== undefined) return note(only, { outcome: 'undecided' })
  const half = Math.ceil(open.length / 2)
  await decideBatch(open.slice(0, half), attempt, note)
  await decideBatch(open.slice(half), attempt, note)
}

/** Runs the command of a tier with all faults of a batch; `red` are files that fail without. */
export function openTier(
  scratch: Scratch,
  texts: Texts,
  { command, limitMs }: { readonly command: string; readonly limitMs: number },
): (batch: readonly Fault[]) => Promise<Trial> {
  const red = new Set<string>()
  let isCleanRed: boolean | undefined
  const run = async (batch: readonly Fault[]) => {
    scratch.write(batch, texts)
    return await scratch.run(command, limitMs)
  }
  return async (batch) => {
    const detected = new Map<number, string>()
    const { code, output } = await run(batch)
    if (code === 0) return { hasFailed: false, detected }
    const failing = findFailing(output).filter(({ file }) => !red.has(file))
    if (failing.length === 0) {
      // No test is named: by the end of the command alone, if it ends well without faults.
      isCleanRed ??= (await run([])).code !== 0
      const [only] = batch
      if (!isCleanRed && batch.length === 1 && only) detected.set(only.number, `${command} fails`)
      return { hasFailed: !isCleanRed, detected }
    }
    let hasFailed = failing.length > MAX_TRACED_FILES
    for (const test of failing.slice(0, MAX_TRACED_FILES)) {
      if (await passes(scratch, batch, texts, test)) continue
      if (!(await passes(scratch, [], texts, test))) {
        red.add(test.file)
        continue
      }
      hasFailed = true
      for (const fault of batch)
        if (!detected.has(fault.number) && !(await passes(scratch, [fault], texts, test)))
          detected.set(fault.number, `${test.file} > ${test.name}`)
    }
    return { hasFailed, detected }
  }
}
