import type { FaultSum, Summary } from './run-campaign.ts'

const HEAD = ['fault', 'times', 'acknowledged', 'lost', 'doubled', 'longest stop (ms)'] as const

/** The table of a campaign, and what it is worth: commit, seed, counts. */
export function printSummary(summary: Summary): string {
  const rows = summary.faults.filter((it) => it.times > 0).map(cellsOf)
  const statuses = Object.entries(summary.statuses).map(([status, times]) => `${status}: ${times}`)
  const findings = Object.entries(summary.findings).map(([kind, times]) => `${kind} ${times}`)
  return [
    `| ${HEAD.join(' | ')} |`,
    `|${HEAD.map(() => '---').join('|')}|`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    `form ${summary.form}, commit ${summary.commit}, seed ${summary.seed}, plan ${summary.plan}, ${summary.struck} faults in ${summary.seconds} s`,
    `acknowledged ${summary.acknowledged}, ${findings.join(', ')}; requests repeated ${summary.repeatedRequests}, answers ${statuses.join(', ')}`,
    `received = stored + rejected + repeated + dropped compared ${summary.ledgersCompared} times`,
    ...summary.problems.map((problem) => `PROBLEM: ${problem}`),
    summary.isRight ? 'nothing lost, nothing doubled' : 'WRONG',
  ].join('\n')
}

function cellsOf(sum: FaultSum): (string | number)[] {
  return [sum.fault, sum.times, sum.acknowledged, sum.lost, sum.doubled, sum.longestStopMs]
}
