// The JSON interface of searches (docs/reference/search-api.md), one function a call.
import type {
  CompleteAnswer,
  ContextAnswer,
  EventsAnswer,
  ExplainAnswer,
  FacetsAnswer,
  HistogramAnswer,
  ShapesAnswer,
  TableAnswer,
} from '../../../schemas/search-json/answers.ts'
import type { Warning } from '../../../schemas/warning.ts'
import { call } from './call.ts'

export const SEARCH_PATH = '/logeye/api/search'

/** `interval`, or `start` with or without `end`; see read-window.ts of the server. */
export type WindowParameters = {
  readonly interval?: string
  readonly start?: string
  readonly end?: string
  readonly timeZone?: string
}
type Asked = WindowParameters & { readonly query: string; readonly searchId?: string }
type Told<Answer> = Answer & { readonly warnings: readonly Warning[] }

function endpoint<Parameters, Answer>(name: string) {
  return (parameters: Parameters, signal?: AbortSignal): Promise<Told<Answer>> =>
    call(`${SEARCH_PATH}/${name}`, {
      body: parameters,
      ...(signal === undefined ? {} : { signal }),
    })
}

export const searchEvents = endpoint<
  Asked & { readonly limit?: number; readonly cursor?: string },
  EventsAnswer
>('events')
export const searchHistogram = endpoint<
  Asked & {
    readonly by?: string
    readonly step?: string
    readonly buckets?: number
    readonly limit?: number
  },
  HistogramAnswer
>('histogram')
export const searchFacets = endpoint<
  Asked & { readonly columns: readonly string[]; readonly limit?: number },
  FacetsAnswer
>('facets')
export const searchShapes = endpoint<Asked & { readonly limit?: number }, ShapesAnswer>('shapes')
export const searchContext = endpoint<
  {
    readonly event: string
    readonly among: 'log' | 'source'
    readonly before: number
    readonly after: number
  },
  ContextAnswer
>('context')
export const explainSearch = endpoint<Asked, ExplainAnswer>('explain')
export const searchTable = endpoint<Asked & { readonly limit?: number }, TableAnswer>('query')
export const completeQuery = endpoint<
  Asked & { readonly position: number; readonly limit?: number },
  CompleteAnswer
>('complete')
