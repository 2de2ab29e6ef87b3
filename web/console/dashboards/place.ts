// Where a dashboard is found: its address holds names, and what was chosen on it. Pure.
import { BASE } from '../../shared/address.ts'

const HOME = `${BASE}/dashboards`

export type Place = { readonly app: string | undefined; readonly dashboard: string | undefined }

export function placePath(...names: readonly string[]): string {
  return [HOME, ...names.map(encodeURIComponent)].join('/')
}

export function readPlace(path: string): Place {
  const [app, dashboard] = path
    .slice(HOME.length)
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
  return { app, dashboard }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
