// The organization of the address and that of the calls are one: a link leads others to the same.
import { useEffect } from 'preact/hooks'
import { address, changeParameters, go } from '../../shared/address.ts'
import { withParameters } from '../../shared/with-parameters.ts'
import { actingId, session } from '../api/session.ts'
import { actFor } from '../api/sign-in.ts'
import { PATHS } from './paths.ts'

export function useActing(): void {
  const { path, parameters } = address.value
  const told = parameters.get('for') ?? undefined
  const acting = actingId.value
  useEffect(() => {
    if (told === acting || session.value === undefined) return
    const stay = () => changeParameters({ for: acting ?? '' }, { isNew: false })
    // Back leads to another organization; a link within the page names none.
    if (told === undefined) stay()
    else actFor(told).catch(stay)
  }, [acting, told, path])
}

/** Begins anew with another organization. Throws CallError. */
export async function switchTo(organizationId: string): Promise<void> {
  await actFor(organizationId)
  go(withParameters(PATHS.overview, { for: organizationId }))
}
