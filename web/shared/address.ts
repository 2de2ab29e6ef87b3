// The address is the state: pages read it, and change it by `go`. Back and reload bring the same.
import { signal } from '@preact/signals'
import { withParameters } from './with-parameters.ts'

/** Every path of the console begins so. */
export const BASE = '/logeye'

export type Address = { readonly path: string; readonly parameters: URLSearchParams }

export const address = signal<Address>(read())

/** `to`: a path with parameters, such as /logeye/manage/tree?find=web. `isNew` false: the step
 *  before is not kept for Back. */
export function go(to: string, { isNew = true }: { readonly isNew?: boolean } = {}): void {
  const now = `${location.pathname}${location.search}`
  if (to === now) return
  if (isNew) history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  address.value = read()
}

/** Changes parameters of the address; '' takes one out. */
export function changeParameters(
  changed: Readonly<Record<string, string>>,
  options?: { readonly isNew?: boolean },
): void {
  const { path, parameters } = address.value
  go(withParameters(`${path}?${parameters}`, changed), options)
}

/** A page anew: nothing that this one holds in its memory is left, neither behind Back. */
export function beginPageAt(path: string): void {
  history.replaceState(null, '', path)
  location.reload()
}

/** Links to pages (default: of the console) lead on without a load; called once. */
export function followLinks(isPage: (path: string) => boolean = isConsolePage): void {
  addEventListener('popstate', () => {
    address.value = read()
  })
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.target !== '' || link.hasAttribute('download')) return
    if (link.origin !== location.origin || !isPage(link.pathname)) return
    event.preventDefault()
    go(`${link.pathname}${link.search}`)
  })
}

/** Calls and files are no pages. */
function isConsolePage(path: string): boolean {
  return path === `${BASE}/` || /^\/logeye\/(manage|dashboards)(\/|$)/.test(path)
}

function read(): Address {
  return { path: location.pathname, parameters: new URLSearchParams(location.search) }
}
