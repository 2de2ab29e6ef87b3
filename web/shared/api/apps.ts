// Apps and their dashboards (/logeye/api/apps).
import type { AppFile } from '../../../schemas/dashboards/app.ts'
import type { DashboardDefinition } from '../../../schemas/dashboards/dashboard.ts'
import type { DashboardResult, WidgetResult } from '../../../schemas/dashboards/result.ts'
import type { TimeFrame } from '../../../schemas/dashboards/time-frame.ts'
import type { VariableChoice } from '../../../schemas/dashboards/variable.ts'
import type { Widget } from '../../../schemas/dashboards/widget.ts'
import type {
  AppAnswer,
  AppsAnswer,
  DashboardAnswer,
  ReadyMadeAnswer,
} from '../../../schemas/public-calls/dashboards.ts'
import { call } from './call.ts'

const APPS = '/logeye/api/apps'

export type App = AppsAnswer['apps'][number]
export type ReadyMade = ReadyMadeAnswer['apps'][number]

export type DashboardKey = { readonly appId: number; readonly id: number }

export const listApps = (signal?: AbortSignal): Promise<AppsAnswer> =>
  call(APPS, withSignal(signal))

export async function listReadyMade(signal?: AbortSignal): Promise<readonly ReadyMade[]> {
  const { apps } = await call<ReadyMadeAnswer>(`${APPS}/ready-made`, withSignal(signal))
  return apps
}

export const importApp = (
  body: { readonly readyMade: string } | { readonly file: unknown; readonly replace?: boolean },
): Promise<AppAnswer> => call(`${APPS}/import`, { body })

export const addApp = (name: string): Promise<AppAnswer> => call(APPS, { body: { name } })

export const changeApp = (
  id: number,
  body: { readonly version: number; readonly name: string; readonly settings: App['settings'] },
): Promise<AppAnswer> => call(`${APPS}/${id}`, { method: 'PUT', body })

export const removeApp = ({ id, version }: Pick<App, 'id' | 'version'>): Promise<unknown> =>
  call(`${APPS}/${id}?version=${version}`, { method: 'DELETE' })

export const exportApp = (id: number): Promise<AppFile> => call(`${APPS}/${id}/file`)

export const readDashboard = (key: DashboardKey, signal?: AbortSignal): Promise<DashboardAnswer> =>
  call(pathOf(key), withSignal(signal))

export const addDashboard = (
  appId: number,
  body: { readonly name: string; readonly definition: Partial<DashboardDefinition> },
): Promise<DashboardAnswer> => call(`${APPS}/${appId}/dashboards`, { body })

/** What is not given stays; 409 when somebody else has changed it since `version`. */
export const changeDashboard = (
  key: DashboardKey,
  body: {
    readonly version: number
    readonly name?: string
    readonly definition?: unknown
  },
): Promise<DashboardAnswer> => call(pathOf(key), { method: 'PUT', body })

export const removeDashboard = (key: DashboardKey, version: number): Promise<unknown> =>
  call(`${pathOf(key)}?version=${version}`, { method: 'DELETE' })

/** Null: none is kept that this user may see. */
export async function readStored(
  key: DashboardKey,
  signal?: AbortSignal,
): Promise<DashboardResult | null> {
  const path = `${pathOf(key)}/result`
  return (await call<{ result: DashboardResult | null }>(path, withSignal(signal))).result
}

export type WidgetQuestion = {
  readonly variables?: VariableChoice
  readonly timeFrame?: TimeFrame
} & ({ readonly widgetId: string } | { readonly widget: Widget })

export const runWidget = (
  key: DashboardKey,
  body: WidgetQuestion,
  signal?: AbortSignal,
): Promise<WidgetResult> => call(`${pathOf(key)}/widget-result`, { body, ...withSignal(signal) })

/** Runs all widgets; what is kept is new, for documents, too. */
export const generateResult = (key: DashboardKey): Promise<unknown> =>
  call(`${pathOf(key)}/result`, { method: 'POST' })

function pathOf({ appId, id }: DashboardKey): string {
  return `${APPS}/${appId}/dashboards/${id}`
}

function withSignal(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { signal }
}
