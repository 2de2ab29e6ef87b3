// Calls of apps and dashboards, each answer checked against its schema.
import { z } from 'zod'
import {
  appAnswer,
  dashboardAnswer,
  generatedAnswer,
  storedAnswer,
  widgetAnswer,
} from '../../../schemas/public-calls/dashboards.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import type { openTestApp } from '../apps/query-app.ts'
import { readRefusal } from './json-client.ts'

type Call = Pick<ReturnType<typeof openTestApp>, 'call'>
type Headers = Readonly<Record<string, string>>

export const APPS = '/logeye/api/apps'

export function makeDashboardClient({ call }: Call, headers: Headers) {
  const send = (method: string, path: string, body?: unknown) =>
    call(`${APPS}${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const ask = async <T extends z.ZodType>(
    schema: T,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<z.output<T>> => {
    const answer = await send(method, path, body)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return schema.parse(okEnvelope(z.unknown()).parse(JSON.parse(text)).response)
  }
  return {
    send,
    ask,
    refusal: async (method: string, path: string, body?: unknown) => {
      const answer = await send(method, path, body)
      const { status } = answer
      return { status, ...(await readRefusal(answer)) }
    },
    addApp: (body: object) => ask(appAnswer, 'POST', '', body),
    addDashboard: (app: number, name: string, definition: object) =>
      ask(dashboardAnswer, 'POST', `/${app}/dashboards`, { name, definition }),
    runWidget: (path: string, body: object) =>
      ask(widgetAnswer, 'POST', `${path}/widget-result`, body),
    stored: async (path: string) => (await ask(storedAnswer, 'GET', `${path}/result`)).result,
    generate: async (path: string) => (await ask(generatedAnswer, 'POST', `${path}/result`)).result,
  }
}

export type DashboardClient = ReturnType<typeof makeDashboardClient>
