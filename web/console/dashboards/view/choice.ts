// What was chosen on a dashboard, as its address says it. Pure.
import type { DashboardDefinition } from '../../../../schemas/dashboards/dashboard.ts'
import type { TimeFrame } from '../../../../schemas/dashboards/time-frame.ts'
import { FIXED_INTERVALS } from '../../../../schemas/time/time-window.ts'

export type Variable = DashboardDefinition['variables'][number]

const PREFIX = 'var.'

/** Only what is in the address: the others have the values of the dashboard. */
export function readChosen(
  parameters: URLSearchParams,
  variables: readonly Variable[],
): Record<string, readonly string[]> {
  const chosen: Record<string, readonly string[]> = {}
  for (const { name } of variables)
    if (parameters.has(PREFIX + name))
      // An empty one: all.
      chosen[name] = parameters.getAll(PREFIX + name).filter((value) => value.trim() !== '')
  return chosen
}

/** Undefined: as the dashboard says. */
export function readFrame(parameters: URLSearchParams): TimeFrame | undefined {
  const interval = FIXED_INTERVALS.find((one) => one === parameters.get('interval'))
  if (interval !== undefined) return { interval }
  const start = parameters.get('start')
  const end = parameters.get('end')
  if (!start) return undefined
  return end ? { start, end } : { start }
}

export function withChosen(
  { path, parameters }: { readonly path: string; readonly parameters: URLSearchParams },
  name: string,
  values: readonly string[],
): string {
  const next = new URLSearchParams(parameters)
  next.delete(PREFIX + name)
  for (const value of values.length === 0 ? [''] : values) next.append(PREFIX + name, value)
  return `${path}?${next}`
}

/** Null: as the dashboard says. */
export function withFrame(
  { path, parameters }: { readonly path: string; readonly parameters: URLSearchParams },
  frame: TimeFrame | null,
): string {
  const next = new URLSearchParams(parameters)
  for (const name of ['interval', 'start', 'end']) next.delete(name)
  for (const [name, text] of Object.entries(frame ?? {})) if (text) next.set(name, text)
  const text = next.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Of the latest result; made when there is none, or when something is chosen: `parameters` of the
 *  page. */
export function documentPath(
  app: string,
  dashboard: string,
  format: 'pdf' | 'csv',
  parameters: URLSearchParams,
): string {
  const asked = new URLSearchParams({
    ...{ action: 'export', appName: app, viewName: dashboard, format },
    ...(format === 'csv' ? { spreadsheet: 'true' } : {}),
  })
  for (const [name, value] of parameters)
    if (/^(?:var\..+|interval|start|end)$/.test(name)) asked.append(name, value)
  return `/logeye/view/api/dashboardAPI.jsp?${asked}`
}
