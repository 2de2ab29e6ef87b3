import type {
  MemoryChange,
  MonitorMemory,
} from '../../../infra/metastore/monitors/monitor-kinds.ts'
import type { KindMemory } from '../question.ts'
import type { Kind } from './step-kinds.ts'

/** What is to be written. */
export function changeOfMemory(
  before: MonitorMemory | undefined,
  { asked, sinceMs, kinds }: KindMemory,
): MemoryChange {
  const isSame = before?.asked === asked && before.sinceMs === sinceMs
  if (!isSame) return { anew: { asked, sinceMs }, kinds, forgotten: [] }
  const changed = [...kinds].filter(([name, kind]) => !isEqual(kind, before.kinds.get(name)))
  return {
    anew: undefined,
    kinds: new Map(changed),
    forgotten: [...before.kinds.keys()].filter((name) => !kinds.has(name)),
  }
}

function isEqual(one: Kind, other: Kind | undefined): boolean {
  if (one.firstMs !== other?.firstMs || one.lastMs !== other.lastMs) return false
  return one.young === other.young && one.told === other.told
}
