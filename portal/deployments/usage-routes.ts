// GET /usage (decision 9.12): pages of JSON, or all rows as lines of JSON.
import { z } from 'zod'
import { jsonContent, type ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import { usageQuery, usageRow } from '../../schemas/portal/usage.ts'
import { type Caller, EVERY_ROLE, organizationOf } from '../access/caller.ts'
import type { PortalReader } from '../database/open.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { HOUR_MS } from './check-meters.ts'
import { numberOfCursor } from './number-of-cursor.ts'
import { type PlacedUsage, readUsage, type UsageFilter, type UsagePlace } from './read-usage.ts'

const LINES = 'application/x-ndjson'
const USUAL_HOURS = 30 * 24
const ROWS_OF_A_CHUNK = 500

const placeSchema = z.tuple([z.string(), z.int(), z.string()])

export function makeUsageRoutes({ database, cursors, serve }: PortalDeps): ServedRoute[] {
  return [
    serve.read(
      {
        ...{ method: 'GET', path: '/usage', tag: 'usage', operationId: 'readUsage' },
        summary: 'Usage by hour or day, deployment and source',
        description: `Newest deployment first, of each the newest time; a deployment reads its own. With \`Accept: ${LINES}\` all rows come as lines of JSON, without pages.`,
        allows: { roles: EVERY_ROLE, operator: true, scope: 'usage:read', deployment: true },
        query: usageQuery,
        answers: {
          200: {
            description: 'A page, or all rows.',
            content: { ...jsonContent(pageOf(usageRow)), [LINES]: usageRow },
          },
        },
      },
      async ({ request, caller, query, list, nowMs }) => {
        const own = organizationOf(caller)
        if (own === undefined && caller.kind !== 'operator')
          throw new Failure('portal.organization_needed')
        const filter = toFilter({ ...query, ...ofDeployment(caller, query) }, own, nowMs)
        const { cursor, limit } = query
        const after =
          cursor === undefined
            ? undefined
            : await readPlace(database.read, cursors.read(cursor, list))
        const rows = readUsage(database.read, filter, after)
        if ((request.headers.get('accept') ?? '').includes(LINES)) return answerLines(rows)
        const found: PlacedUsage[] = []
        for await (const row of rows) if (found.push(row) > limit) break
        const body = cursors.page(found, {
          ...{ limit, list, keyOf: printPlace, tell: ({ row }) => row },
        })
        return { body }
      },
    ),
  ]
}

/** A deployment reads its own. Fails with portal.not_found. */
function ofDeployment(caller: Caller, { deploymentId }: z.infer<typeof usageQuery>) {
  if (caller.kind !== 'deployment') return {}
  const own = caller.deploymentId
  if ((deploymentId ?? own) !== own) throw new Failure('portal.not_found', { what: 'deployment' })
  return { deploymentId: own }
}

function toFilter(
  query: z.infer<typeof usageQuery>,
  organizationId: string | undefined,
  nowMs: number,
): UsageFilter {
  const { from, to, deploymentId, source, granularity } = query
  // An hour ahead may have been reported.
  const toHour = Math.ceil((to === undefined ? nowMs + 2 * HOUR_MS : Date.parse(to)) / HOUR_MS)
  const fromHour = from === undefined ? toHour - USUAL_HOURS : Math.ceil(Date.parse(from) / HOUR_MS)
  if (fromHour > toHour)
    throw new InvalidRequest([{ pointer: '/from', message: 'must not be after to' }])
  return { organizationId, deploymentId, source, granularity, fromHour, toHour }
}

function printPlace({ place: { unit, source }, row }: PlacedUsage): string {
  return JSON.stringify([row.deploymentId, unit, source])
}

/** Fails with portal.invalid_cursor. */
async function readPlace(db: PortalReader, text: string): Promise<UsagePlace> {
  const place = placeSchema.safeParse(JSON.parse(text))
  if (!place.success) throw new Failure('portal.invalid_cursor')
  const [id, unit, source] = place.data
  return { deployment: await numberOfCursor(db, id), unit, source }
}

function answerLines(rows: AsyncGenerator<PlacedUsage>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      let text = ''
      for (let at = 0; at < ROWS_OF_A_CHUNK; at += 1) {
        const next = await rows.next()
        if (next.done === true) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += `${JSON.stringify(next.value.row)}\n`
      }
      controller.enqueue(encoder.encode(text))
    },
    cancel: async () => {
      await rows.return(undefined)
    },
  })
  return new Response(body, { headers: { 'content-type': LINES } })
}
