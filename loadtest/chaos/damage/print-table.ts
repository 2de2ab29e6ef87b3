import type { Damage } from './damages.ts'
import type { Judgement, Outcome } from './judge.ts'

export type Try = { readonly damage: Damage; readonly judgement: Judgement }

const OUTCOMES: readonly Outcome[] = [
  'right',
  'named',
  'refused',
  'late',
  'half',
  'silent',
  'unclear',
]

/** Kind of damage by outcome. */
export function printTable(tries: readonly Try[]): string {
  const kinds = new Map<string, Try[]>()
  for (const it of tries) {
    const kind = `${it.damage.engine}: ${it.damage.operation}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), it])
  }
  const rowOf = (name: string, of: readonly Try[]) => {
    const counts = OUTCOMES.map((one) => of.filter((it) => it.judgement.outcome === one).length)
    return `| ${[name, of.length, ...counts].join(' | ')} |`
  }
  const names = [...kinds.keys()].sort()
  return [
    `| ${['damage', 'times', ...OUTCOMES].join(' | ')} |`,
    `|${'---|'.repeat(OUTCOMES.length + 2)}`,
    ...names.map((name) => rowOf(name, kinds.get(name) ?? [])),
    rowOf('all', tries),
  ].join('\n')
}
