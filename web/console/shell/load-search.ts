// The page at the address of loadSearchModel.jsp: so the server answers credentials that it refuses
// (docs/decisions/0072).
import { useEffect } from 'preact/hooks'
import { BASE } from '../../shared/address.ts'

export const LOAD_SEARCH = `${BASE}/search/view/loadSearchModel.jsp`

/** As the server knows them; whatever they opened or not, they do not stay in the address. */
const CREDENTIALS = ['autoLogin', 'username', 'password', 'apiToken']

/** Once, before anything else. */
export function dropCredentials(): void {
  if (location.pathname !== LOAD_SEARCH) return
  const parameters = new URLSearchParams(location.search)
  for (const name of CREDENTIALS) parameters.delete(name)
  history.replaceState(null, '', `${LOAD_SEARCH}?${parameters}`)
}

/** Who has signed in is led on by the server, which reads the times. */
export function LoadSearch() {
  useEffect(() => location.reload(), [])
  return null
}
