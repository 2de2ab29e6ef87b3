// Health and liveness (decision 9.11). They need no database to answer.
import { jsonContent, NO_BODY, type ServedRoute } from '../../infra/http/routes/route.ts'
import { aliveAnswer, type HealthTold, healthAnswer } from '../../schemas/portal/operation.ts'
import { authenticate } from '../access/authenticate.ts'
import type { PortalDeps } from '../deps.ts'
import { PROBLEM_CONTENT } from '../edge/problem.ts'

const SHARED = { methods: ['GET'], right: 'anonymous', body: NO_BODY } as const
const TAGS = ['operation']

export function makeHealthRoutes(deps: PortalDeps): ServedRoute[] {
  return [
    {
      ...SHARED,
      path: '/api/portal/health',
      security: [{}, { bearer: [] }],
      handle: async ({ request }) => {
        const told = await tellHealth(request, deps)
        return Response.json(told, { status: told.status === 'fail' ? 503 : 200 })
      },
      document: {
        operationId: 'health',
        tags: TAGS,
        summary: 'Whether the portal works',
        description: 'Callers: everybody; with an operator token it tells each check.',
        answers: {
          200: {
            description: 'It works, or works with a warning.',
            content: jsonContent(healthAnswer),
          },
          503: { description: 'It does not.', content: jsonContent(healthAnswer) },
        },
      },
    },
    {
      ...SHARED,
      path: '/api/healthcheck',
      security: [],
      handle: () => Response.json({ status: 'alive' }),
      document: {
        operationId: 'healthcheck',
        tags: TAGS,
        summary: 'The process answers',
        answers: {
          200: { description: 'It does.', content: jsonContent(aliveAnswer) },
          404: { description: 'Another path.', content: PROBLEM_CONTENT },
        },
      },
    },
  ]
}

async function tellHealth(
  request: Request,
  { database, clock, version }: PortalDeps,
): Promise<HealthTold> {
  const isOperator = authenticate(request, { db: database.read, clock }, false).then(
    ({ kind }) => kind === 'operator',
    () => false,
  )
  const startedMs = clock.elapsedMs()
  const found = database.read.selectFrom('organizations').select('id').limit(1).executeTakeFirst()
  const row = await found.then(
    (it) => it ?? 'none',
    () => undefined,
  )
  const ms = Math.round(clock.elapsedMs() - startedMs)
  const answers = row !== undefined
  const checks: NonNullable<HealthTold['checks']> = {
    database: answers
      ? { status: 'pass', output: `answers after ${ms} ms` }
      : { status: 'fail', output: 'does not answer' },
    operator:
      row === 'none'
        ? { status: 'warn', output: "no organization is there: run 'logeye portal init'" }
        : { status: 'pass', output: 'the portal has been set up' },
  }
  const grades = Object.values(checks).map((check) => check.status)
  const status = grades.includes('fail') ? 'fail' : grades.includes('warn') ? 'warn' : 'pass'
  return (await isOperator) ? { status, version, checks } : { status, version }
}
