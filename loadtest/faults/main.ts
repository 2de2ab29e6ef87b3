// What the tests would miss: single faults in lines of the product, and which test fails for each.
//   npm run faults -- pick [--seed 38] [--count 40]
//   npm run faults -- run --results old.jsonl [--tree ../checkout] [--only 3,17] [--minutes 10]
//   npm run faults -- tiers --results old.jsonl [--command 'npm test'] [--minutes 120]
//   npm run faults -- compare old.jsonl new.jsonl [--share 1]
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { applyFault, describeFaults, type Fault, nameOf, pickFaults } from './fault-list.ts'
import { type Candidate, findFaults } from './find-faults.ts'
import { BUILD, FILE_LIMIT_MS, probeFault } from './probe.ts'
import { appendResult, compareResults, type Result, readResults, verdicts } from './results.ts'
import { Scratch } from './scratch.ts'
import { decideBatch, makeBatches, openTier } from './tiers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '38' },
    count: { type: 'string', default: '40' },
    tree: { type: 'string', default: join(import.meta.dirname, '../..') },
    list: { type: 'string', default: join(import.meta.dirname, 'faults.json') },
    results: { type: 'string', default: 'faults.jsonl' },
    only: { type: 'string' },
    minutes: { type: 'string' },
    command: { type: 'string', default: 'npm test' },
    share: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
})

const BATCH = 5

const [command = '', older = '', newer = ''] = positionals
if (command === 'pick') await pick()
else if (command === 'run') await run()
else if (command === 'tiers') await runTier()
else if (command === 'compare') compare()
else {
  process.stderr.write(
    'usage: npm run faults -- pick | run | tiers | compare, see loadtest/faults/main.ts\n',
  )
  process.exitCode = 2
}

function readList(): Fault[] {
  const list: Fault[] = JSON.parse(readFileSync(values.list, 'utf8'))
  const only = values.only?.split(',').map(Number)
  return only === undefined ? list : list.filter(({ number }) => only.includes(number))
}

/** Writes the list. What does not compile is replaced until all of it does. */
async function pick(): Promise<void> {
  const [seed, count] = [Number(values.seed), Number(values.count)]
  const scratch = new Scratch(values.tree)
  try {
    const texts = scratch.readTexts()
    let candidates: Candidate[] = [...texts].flatMap(([file, text]) => findFaults(file, text))
    console.log(`seed ${seed}, commit ${scratch.commit}, ${candidates.length} candidates`)
    for (;;) {
      const picked = pickFaults(candidates, { seed, count })
      const faults = describeFaults(picked, texts)
      scratch.write(faults, texts)
      const { code, output } = await scratch.run(
        'npx tsc --noEmit -p tsconfig.build.json',
        FILE_LIMIT_MS,
      )
      if (code === 0) {
        writeFileSync(values.list, `${JSON.stringify(faults, undefined, 2)}\n`)
        for (const fault of faults) console.log(`${nameOf(fault)}\n  ${fault.after.trim()}`)
        return
      }
      const broken = picked.filter(({ file }) => output.includes(`${file}(`))
      if (broken.length === 0) throw new Error(`no fault explains: ${output}`)
      console.log(`${broken.length} do not compile and are replaced`)
      candidates = candidates.filter((candidate) => !broken.includes(candidate))
    }
  } finally {
    scratch.close()
  }
}

/** Each fault without a result, against the tests related to its file. */
async function run(): Promise<void> {
  const known = new Set(readResults(values.results).map(({ number }) => number))
  const faults = readList().filter(({ number }) => !known.has(number))
  const scratch = new Scratch(values.tree)
  try {
    const texts = scratch.readTexts()
    const options = {
      limitMs: Number(values.minutes ?? 10) * 60_000,
      workers: Number(values.workers),
      red: new Set<string>(),
    }
    await scratch.run(BUILD, FILE_LIMIT_MS)
    for (const fault of faults)
      appendResult(values.results, await probeFault(scratch, fault, texts, options))
  } finally {
    scratch.close()
  }
}

/** What no run has detected, against a whole tier, named by its command. */
async function runTier(): Promise<void> {
  const tier = values.command
  const results = readResults(values.results)
  const verdict = verdicts(results)
  const known = new Set(results.filter((it) => it.tier === tier).map(({ number }) => number))
  const open = readList().filter(
    ({ number }) => verdict.get(number) !== 'detected' && !known.has(number),
  )
  const scratch = new Scratch(values.tree)
  try {
    const texts = scratch.readTexts()
    let began = performance.now()
    const note = (fault: Fault, more: Pick<Result, 'outcome' | 'test'>) => {
      const { commit } = scratch
      const seconds = (performance.now() - began) / 1000
      const base = { number: fault.number, name: nameOf(fault), commit, tier, seconds }
      appendResult(values.results, { ...base, ...more })
    }
    const applicable = open.filter((fault) => applyFault(fault, texts) !== undefined)
    for (const fault of open)
      if (!applicable.includes(fault)) note(fault, { outcome: 'not applied' })
    const limitMs = Number(values.minutes ?? 120) * 60_000
    const attempt = openTier(scratch, texts, { command: values.command, limitMs })
    for (const batch of makeBatches(applicable, BATCH)) {
      console.log(`with the faults ${batch.map(({ number }) => number).join(', ')}: ${tier}`)
      began = performance.now()
      await decideBatch(batch, attempt, note)
    }
  } finally {
    scratch.close()
  }
}

/** Exits 1 when the new tests keep less than the share of what the old ones detect. */
function compare(): void {
  const [before, after] = [readResults(older), readResults(newer)]
  const { table, lost, keptShare } = compareResults(readList(), before, after)
  const share = `${(100 * keptShare).toFixed(1)} % of the old detections are kept`
  console.log(`${table}\n\n${share}; lost: ${lost.join(', ') || 'none'}`)
  if (keptShare < Number(values.share)) process.exitCode = 1
}
