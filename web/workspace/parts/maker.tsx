import type { Maker } from '../../../schemas/portal/accounts.ts'
import { WORKSPACE } from '../texts.ts'
import { Pill } from './pill.tsx'

/** Who made something, and whether that person has left. */
export function MadeBy({ maker }: { readonly maker: Maker | null }) {
  if (maker === null) return <span class="soft">{WORKSPACE.maker.unknown}</span>
  return (
    <span class="row wrap">
      {maker.name}
      {!maker.isMember && <Pill tone="warning">{WORKSPACE.maker.gone}</Pill>}
    </span>
  )
}
