// GET /logeye/message/messageJsonApi.jsp, api=collectedDataInfo: which logs have collected data in
// a time frame (decision 5.1).
import { jsonContent, NO_BODY, type RouteTable } from '../../infra/http/routes/route.ts'
import type { OpenedMetastore } from '../../infra/metastore/open.ts'
import {
  type CollectedData,
  statisticsAnswer,
  statisticsParameters,
} from '../../schemas/public-calls/configuration.ts'
import { failedEnvelopeAnswer } from '../../schemas/public-calls/operation.ts'
import {
  DEFAULT_INTERVAL,
  FIXED_INTERVALS,
  parseFixedInterval,
  type TimeWindow,
  windowOfInterval,
} from '../../schemas/time/time-window.ts'
import { findParameter, READ_SURFACE, refuse } from '../configuration/read-given.ts'
import { readVisibleLogs } from '../configuration/select-nodes.ts'
import { JSON_TYPE, makeAnswer } from '../edge/answer.ts'
import { CHALLENGE, RETRY_AFTER } from '../edge/documented-headers.ts'
import { FAILED_ENVELOPE } from '../edge/envelope.ts'
import { openTurn, type TurnEdge } from '../edge/open-turn.ts'
import { readStyle } from '../edge/read-style.ts'
import type { ServeCall } from '../edge/serve-call.ts'
import type { Given } from '../edge/surface.ts'
import { limitedQuery, runInTurn, type TurnDeps } from '../search/run-in-turn.ts'
import { type Ask, readReceipts } from './collected-logs.ts'
import { collectionData, type StatisticsOptions } from './collection-data.ts'

export type StatisticsDeps = TurnDeps &
  TurnEdge & { readonly metastore: OpenedMetastore; readonly serve: ServeCall }

const DEFAULT_MAX_RESULTS = 100
const QUERY_ID_BYTES = 16

export function makeStatisticsTable(deps: StatisticsDeps): RouteTable {
  const { clock, metastore, serve, store } = deps
  const surface = {
    ...READ_SURFACE,
    failures: FAILED_ENVELOPE,
    answer: (value: CollectedData) =>
      makeAnswer(`${JSON.stringify(value)}\n`, { status: 200, type: JSON_TYPE }),
  }

  const handle = serve(surface, async (call) => {
    const { given, nowMs, signedIn } = call
    const options = readOptions(given)
    const frame = readFrame(given, nowMs, readStyle(metastore))
    const { turn, close } = await openTurn(call, { searchId: undefined }, deps)
    try {
      const queryId = `statistics-${clock.randomBytes(QUERY_ID_BYTES).toString('hex')}`
      const ask: Ask = (statement) =>
        store.query(limitedQuery({ ...statement, queryId }, turn, deps))
      const logs = await readVisibleLogs(metastore, signedIn.user)
      const hidesBytes = signedIn.user.masks.length > 0
      const receipts = await runInTurn({ ...turn, queryIds: [queryId] }, deps, () =>
        readReceipts(ask, frame, { withTotals: options.maxUncollected !== undefined }),
      )
      return {
        value: {
          data: { collectionData: collectionData(logs, receipts, { ...options, hidesBytes }) },
        },
      }
    } finally {
      close()
    }
  })

  const failedContent = jsonContent(failedEnvelopeAnswer)
  return {
    ...FAILED_ENVELOPE,
    routes: [
      {
        methods: ['GET'],
        path: '/logeye/message/messageJsonApi.jsp',
        right: 'signed-in',
        parameters: statisticsParameters,
        body: NO_BODY,
        handle,
        document: {
          operationId: 'collectedDataInfo',
          tags: ['statistics'],
          summary: 'Which logs have collected data, by folder or by tag',
          description:
            'Each log that the user may view counts in its folder and in all above it, or in each of its tags.',
          answers: {
            200: { description: 'Sorted by name.', content: jsonContent(statisticsAnswer) },
            400: { description: 'A parameter is missing or wrong.', content: failedContent },
            401: { description: 'Sign-in failed.', headers: CHALLENGE, content: failedContent },
            403: { description: 'Called by a page of another site.', content: failedContent },
            503: {
              description: 'The store or the database is away, or too much is asked at once.',
              headers: RETRY_AFTER,
              content: failedContent,
            },
          },
        },
      },
    ],
  }
}

function readOptions(given: Given): StatisticsOptions {
  const api = findParameter(given, 'api')
  if (api === undefined) throw refuse('api', 'is missing')
  if (api !== 'collectedDataInfo') throw refuse('api', 'must be collectedDataInfo')
  const type = findParameter(given, 'type') ?? 'Folders'
  if (type !== 'Folders' && type !== 'AppTags') throw refuse('type', 'must be Folders or AppTags')
  const level = findParameter(given, 'detailsLevel') ?? 'Basic'
  if (level !== 'Basic' && level !== 'Detailed')
    throw refuse('detailsLevel', 'must be Basic or Detailed')
  const max = findParameter(given, 'maxNumberOfResults')
  if (max !== undefined && (!/^\d{1,9}$/.test(max) || Number(max) < 1))
    throw refuse('maxNumberOfResults', 'must be a whole number from 1')
  const maxUncollected = max === undefined ? DEFAULT_MAX_RESULTS : Number(max)
  return { type, maxUncollected: level === 'Detailed' ? maxUncollected : undefined }
}

function readFrame(
  given: Given,
  nowMs: number,
  { zone }: ReturnType<typeof readStyle>,
): TimeWindow {
  const text = findParameter(given, 'timeFrame') ?? DEFAULT_INTERVAL
  const interval = parseFixedInterval(text)
  if (interval === undefined)
    throw refuse('timeFrame', `must be one of ${FIXED_INTERVALS.join(', ')}`)
  return windowOfInterval(interval, nowMs, zone)
}
