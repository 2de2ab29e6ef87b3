// Figures of collecting, and of monitors beside it: `npm run bench:collect [part …]` with the parts
// files, tailed, directory and monitors. BENCH_SHARE=0.1 takes a tenth of all sizes. A figure that
// is missed makes the exit status 1.
import { printVerdicts, type Verdict } from '../support/bench/verdicts.ts'
import { measureDirectory } from './large-directory.ts'
import { measureFiles } from './read-file.ts'
import { measureMonitors } from './running-monitors.ts'
import { measureTailed } from './tailed-files.ts'

const PARTS: Readonly<Record<string, (share: number) => Promise<Verdict[]>>> = {
  files: measureFiles,
  tailed: measureTailed,
  directory: measureDirectory,
  monitors: measureMonitors,
}

const share = Number(process.env.BENCH_SHARE ?? 1)
if (!(share > 0 && share <= 1)) throw new Error('BENCH_SHARE must be above 0 and at most 1')
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => PARTS[name] === undefined)
if (unknown.length > 0) throw new Error(`no part ${unknown}: ${Object.keys(PARTS)}`)

const verdicts: Verdict[] = []
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  verdicts.push(...(await measure(share)))
}
if (!printVerdicts(verdicts)) process.exitCode = 1
