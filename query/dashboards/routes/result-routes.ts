// Routes of results: of one widget, live; of a dashboard, the stored one or a new one.
import {
  jsonContent,
  MAX_SMALL_BODY_BYTES,
  NO_BODY,
  type ServedRoute,
  wholeBody,
} from '../../../infra/http/routes/route.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { Widget } from '../../../schemas/dashboards/widget.ts'
import { Failure } from '../../../schemas/failures.ts'
import {
  generatedAnswer,
  storedAnswer,
  widgetAnswer,
  widgetQuestion,
} from '../../../schemas/public-calls/dashboards.ts'
import { ONLY_READS } from '../../../schemas/rights/sees.ts'
import { okEnvelope } from '../../../schemas/search-json/answers.ts'
import { openTurn } from '../../edge/open-turn.ts'
import type { EdgeCall } from '../../edge/surface.ts'
import { type OpenedDashboard, openDashboard, readStored } from '../open-dashboard.ts'
import { contextOf, runAndKeep } from '../run-dashboard.ts'
import { runWidget } from '../run-widget.ts'
import { TAGS } from './app-routes.ts'
import { DASHBOARD_PATH, DASHBOARD_VALUES } from './dashboard-routes.ts'
import {
  DASHBOARD_SURFACE,
  failedAnswers,
  readBody,
  readId,
  SEARCH_FAILED,
  WRITE_SURFACE,
} from './dashboard-surface.ts'
import { auditView, type ResultDeps } from './result-deps.ts'

export function makeResultRoutes(deps: ResultDeps): ServedRoute[] {
  const { metastore, audit, serve } = deps

  const stored = serve(DASHBOARD_SURFACE, async (call) => {
    const opened = await openOf(call, metastore)
    auditView('dashboard.view', opened, call, audit)
    const { user } = call.signedIn
    return { value: { result: (await readStored(metastore, user, opened, call.nowMs)) ?? null } }
  })

  const generate = serve(WRITE_SURFACE, async (call) => {
    const opened = await openOf(call, metastore)
    auditView('dashboard.generate', opened, call, audit)
    const { turn, close } = await openTurn(call, { searchId: undefined }, deps)
    try {
      const question = { ...opened, reader: call.signedIn.user, nowMs: call.nowMs }
      const { timeoutMs } = call.asked
      return { value: { result: await runAndKeep(question, { ...turn, timeoutMs }, deps) } }
    } finally {
      close()
    }
  })

  const widget = serve({ ...DASHBOARD_SURFACE, isCounted: true }, async (call) => {
    const opened = await openOf(call, metastore)
    const {
      widgetId,
      widget: draft,
      variables,
      timeFrame,
      ...rest
    } = readBody(widgetQuestion, call)
    const { timeout = call.asked.timeoutMs, searchId } = rest
    if (timeout > deps.limits.maxTimeoutMs) {
      const reason = `must be at most ${deps.limits.maxTimeoutMs}`
      throw new Failure('dashboard.parameter', { parameter: 'timeout', reason })
    }
    call.asked.timeoutMs = timeout
    const asked = draft ?? requireWidget(opened, widgetId ?? '')
    const { user } = call.signedIn
    const question = { ...opened, reader: user, nowMs: call.nowMs, chosen: variables, timeFrame }
    const context = contextOf(question, deps)
    const { turn, close } = await openTurn(call, { searchId }, deps)
    try {
      const heard = { query: asked.query, window: { startMs: null, endMs: null } }
      const target = `${opened.app.name}->${opened.dashboard.name}`
      call.asked.audit = (outcome) =>
        audit.add({ action: 'dashboard.widget', target, details: heard }, call.signedIn, outcome)
      const value = await runWidget(asked, context, turn, deps)
      Object.assign(heard, { query: value.query, window: value.window })
      return { value, numberOfResults: value.rows?.rows.length ?? 0 }
    } finally {
      close()
    }
  })

  const one = { pathValues: DASHBOARD_VALUES, right: 'signed-in' } as const
  const path = `${DASHBOARD_PATH}/result`
  return [
    {
      ...{ ...one, path, methods: ['GET'], body: NO_BODY, handle: stored },
      document: {
        ...{ operationId: 'storedResult', tags: TAGS, summary: 'The latest result that is kept' },
        answers: {
          200: {
            description: 'Made of exactly the logs that the user may view, or null.',
            content: jsonContent(okEnvelope(storedAnswer)),
          },
          ...failedAnswers(),
        },
      },
    },
    {
      ...{ ...one, path, methods: ['POST'], sees: ONLY_READS, body: NO_BODY, handle: generate },
      document: {
        ...{ operationId: 'generateResult', tags: TAGS, summary: 'Runs all widgets now' },
        description: 'The result is kept as the latest one of those who may view the same logs.',
        answers: {
          200: {
            description: 'The result; a widget that failed says why.',
            content: jsonContent(okEnvelope(generatedAnswer)),
          },
          ...failedAnswers(SEARCH_FAILED),
        },
      },
    },
    {
      ...{
        ...one,
        path: `${DASHBOARD_PATH}/widget-result`,
        methods: ['POST'],
        sees: ONLY_READS,
        handle: widget,
      },
      body: wholeBody(jsonContent(widgetQuestion), {
        isRequired: true,
        maxBytes: MAX_SMALL_BODY_BYTES,
      }),
      document: {
        ...{ operationId: 'widgetResult', tags: TAGS, summary: 'Runs one widget now' },
        description: 'A saved one, or a draft, with chosen values of the variables.',
        answers: {
          200: { description: 'Its rows.', content: jsonContent(okEnvelope(widgetAnswer)) },
          ...failedAnswers(SEARCH_FAILED),
        },
      },
    },
  ]
}

function openOf(call: EdgeCall, metastore: OpenedMetastore): Promise<OpenedDashboard> {
  const named = { app: readId(call, 'app'), dashboard: readId(call, 'dashboard') }
  return openDashboard(metastore, call.signedIn.user, named)
}

function requireWidget({ dashboard }: OpenedDashboard, id: string): Widget {
  const found = dashboard.definition.widgets.find((one) => one.id === id)
  if (found === undefined) throw new Failure('object.not_found', { kind: 'widget', name: id })
  return found
}
