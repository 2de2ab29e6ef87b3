// That a limit which nobody asked for has cut the answer (decision 4.5 lets the caller choose one).
import type { Warning } from '../../schemas/warning.ts'

/** `parameter`: with which the caller asks for more. */
export function cutWarning(rows: number, parameter: string, isCertain: boolean): Warning {
  const more = isCertain ? 'there are more results' : 'there may be more results'
  return {
    code: 'search.cut',
    message: `${more} than these ${rows}, as many as are delivered without ${parameter}: it asks for more, as paging and exports do`,
  }
}
