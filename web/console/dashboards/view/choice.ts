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

/** '': as the dashboard says. */
export function withInterval(
  { path, parameters }: { readonly path: string; readonly parameters: URLSearchParams },
  interval: string,
): string {
  const next = new URLSearchParams(parameters)
  for (const name of ['interval', 'start', 'end']) next.delete(name)
  if (interval !== '') next.set('interval', interval)
  const text = next.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Last 24 hours. */
export function printInterval(interval: string): string {
  const text = interval
    .replaceAll(/(\d+)/g, ' $1 ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `-2h to now`. */
export function printFrame(frame: TimeFrame): string {
  if ('interval' in frame) return printInterval(frame.interval)
  return `${frame.start} to ${frame.end ?? 'now'}`
}
