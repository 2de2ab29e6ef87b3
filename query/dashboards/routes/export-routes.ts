// dashboardAPI.jsp: the PDF of the latest result of a dashboard (decisions 6.2-6.4), and ours, its
// CSV.
import type { z } from 'zod'
import type { Clock } from '../../../infra/clock.ts'
import {
  jsonContent,
  NO_BODY,
  type RouteTable,
  textContent,
} from '../../../infra/http/routes/route.ts'
import type { DashboardResult } from '../../../schemas/dashboards/result.ts'
import { timeFrame } from '../../../schemas/dashboards/time-frame.ts'
import { VARIABLE_NAME, variableChoice } from '../../../schemas/dashboards/variable.ts'
import { Failure } from '../../../schemas/failures.ts'
import { exportParameters } from '../../../schemas/public-calls/dashboards.ts'
import { failedEnvelopeAnswer } from '../../../schemas/public-calls/operation.ts'
import { spreadsheetCell } from '../../../schemas/public-calls/spreadsheet-cell.ts'
import { findParameter, READ_SURFACE, refuse } from '../../configuration/read-given.ts'
import { CHALLENGE } from '../../edge/documented-headers.ts'
import { envelope, FAILED_ENVELOPE } from '../../edge/envelope.ts'
import { openTurn } from '../../edge/open-turn.ts'
import type { EdgeCall, Given } from '../../edge/surface.ts'
import type { DocumentMaker } from '../document/document-maker.ts'
import { type Choice, makeDocumentQuestion } from '../document/make-document-question.ts'
import { printDashboardCsv } from '../export-csv.ts'
import { type OpenedDashboard, openDashboard, readStored } from '../open-dashboard.ts'
import { runAndKeep, runDashboard } from '../run-dashboard.ts'
import { auditView, type ResultDeps } from './result-deps.ts'

export type ExportDeps = ResultDeps & {
  readonly clock: Clock
  readonly documents: DocumentMaker
  readonly publicUrl: string
}

/** Decision 6.2. */
const WITHIN_SECONDS = 60
const PATH = '/logeye/view/api/dashboardAPI.jsp'

export function makeExportTable(deps: ExportDeps): RouteTable {
  const { metastore, audit, serve } = deps
  const surface = {
    ...READ_SURFACE,
    failures: FAILED_ENVELOPE,
    answer: envelope,
    bug: { phrase: 'dashboard not exported', code: 'request.internal' },
    mayBeLinked: true,
  }

  const handle = serve(surface, async (call) => {
    const { format, named, choice, printCell } = readParameters(call)
    const opened = await openDashboard(metastore, call.signedIn.user, named)
    auditView('dashboard.export', opened, call, audit)
    call.asked.timeoutMs = WITHIN_SECONDS * 1000
    const { turn, close } = await openTurn(call, { searchId: undefined }, deps)
    try {
      const result = await latestResult(opened, choice, call, {
        ...turn,
        timeoutMs: call.asked.timeoutMs,
      })
      const name = `${opened.app.name} - ${opened.dashboard.name}.${format}`
      const body =
        format === 'csv'
          ? printDashboardCsv(opened.dashboard.definition, result, printCell)
          : new Uint8Array(
              await deps.documents.make(
                makeDocumentQuestion(opened, choice, result, deps.publicUrl),
                turn.signal,
              ),
            )
      const headers = { 'content-type': TYPES[format], 'content-disposition': disposition(name) }
      return { response: new Response(body, { headers }) }
    } catch (error) {
      if (turn.signal.aborted && !call.request.signal.aborted && !deps.stopping.aborted)
        throw new Failure('dashboard.late', { seconds: WITHIN_SECONDS }, error)
      throw error
    } finally {
      close()
    }
  })

  /** Of `live`, and of what somebody chose, nothing is kept. */
  async function latestResult(
    opened: OpenedDashboard,
    choice: Choice,
    call: EdgeCall,
    turn: Parameters<typeof runDashboard>[1],
  ): Promise<DashboardResult> {
    const { user } = call.signedIn
    const question = { ...opened, reader: user, nowMs: call.nowMs }
    if (opened.app.settings.generation === 'live' || isChosen(choice))
      return await runDashboard({ ...question, ...choice }, turn, deps)
    const stored = await readStored(metastore, user, opened, call.nowMs)
    return stored ?? (await runAndKeep(question, turn, deps))
  }

  const failed = (description: string) => ({
    description,
    content: jsonContent(failedEnvelopeAnswer),
  })
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        ...{ methods: ['GET'], path: PATH, right: 'signed-in', body: NO_BODY, handle },
        parameters: exportParameters,
        document: {
          operationId: 'exportDashboard',
          tags: ['dashboards'],
          summary: 'The PDF of the latest result of a dashboard',
          description:
            'Made first when there is none, within 60 seconds. `var.<name>` (once for each value; empty: all) and `interval`, or `start` and `end`, stand for what is chosen on the dashboard: then it is made for this call. The result is one that was made of exactly the logs that the user may view.',
          answers: {
            200: {
              description: 'The document; with format=csv the rows of all widgets.',
              content: textContent('application/pdf', 'text/csv'),
            },
            400: failed('Unknown action or format, or a parameter is missing or stands twice.'),
            401: { ...failed('Sign-in failed.'), headers: CHALLENGE },
            403: failed('Called by a page of another site.'),
            404: failed('There is no such app or dashboard, or the user may not view it.'),
            500: failed('An internal error.'),
            503: failed('The result was not ready in time, or an engine is away.'),
          },
        },
      },
    ],
  }
}

const TYPES = { pdf: 'application/pdf', csv: 'text/csv; charset=utf-8' } as const

function readParameters({ given }: EdgeCall) {
  const need = (name: string) => {
    const value = findParameter(given, name)
    if (value === undefined || value.trim() === '') throw refuse(name, 'is missing')
    return value
  }
  const action = need('action')
  const format = findParameter(given, 'format') ?? 'pdf'
  if (format !== 'pdf' && format !== 'csv') throw refuse('format', 'must be pdf or csv')
  if (action !== 'export') throw refuse('action', 'must be export')
  const spreadsheet = findParameter(given, 'spreadsheet') ?? 'false'
  if (spreadsheet !== 'true' && spreadsheet !== 'false')
    throw refuse('spreadsheet', 'must be true or false')
  if (spreadsheet === 'true' && format !== 'csv') throw refuse('spreadsheet', 'needs format csv')
  const printCell = spreadsheet === 'true' ? spreadsheetCell : undefined
  const named = { app: need('appName'), dashboard: need('viewName') }
  return { format, named, choice: readChoice(given), printCell } as const
}

const VARIABLE = 'var.'

function isChosen({ chosen, timeFrame }: Choice): boolean {
  return chosen !== undefined || timeFrame !== undefined
}

function readChoice(given: Given): Choice {
  const values = new Map<string, string[]>()
  for (const [name, value] of given.pairs)
    if (name.startsWith(VARIABLE)) {
      const variable = name.slice(VARIABLE.length)
      if (!VARIABLE_NAME.test(variable)) throw refuse(name, 'must be the name of a variable')
      const known = values.get(variable) ?? []
      values.set(variable, value.trim() === '' ? known : [...known, value])
    }
  const times = ['interval', 'start', 'end'].flatMap((name) => {
    const value = findParameter(given, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const chosen = Object.fromEntries(values)
  const frame = Object.fromEntries(times)
  return {
    chosen: values.size > 0 ? parse(variableChoice, chosen, VARIABLE) : undefined,
    timeFrame: times.length > 0 ? parse(timeFrame, frame, 'interval') : undefined,
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, parameter: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refuse(parameter, parsed.error.issues[0]?.message ?? 'cannot be read')
}

/** RFC 6266: a plain name for all, the whole one for those that read it. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === name
    ? `inline; filename="${name}"`
    : `inline; filename="${plain}"; filename*=UTF-8''${whole}`
}
