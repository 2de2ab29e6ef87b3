// k6 run -e URL=http://localhost:30303 -e TOKEN=<listener token> -e PASSWORD=<admin's>
// loadtest/k6/search.js Parallel searches while events arrive. Bounded in time.
import { check } from 'k6'
import http from 'k6/http'
import { makeLines } from './events.js'

const base = __ENV.URL || 'http://localhost:30303'
const seconds = Number(__ENV.SECONDS || 20)
const batch = makeLines(77, 100).join('\n')
const QUERIES = [
  'declined',
  'deadline AND level = ERROR',
  '* | count',
  '* | count | group by service',
  '"deadline exceeded"',
  'absentword',
  'status >= 400',
]

export const options = {
  scenarios: {
    ingest: {
      executor: 'constant-arrival-rate',
      exec: 'ingest',
      rate: 20,
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: 4,
      maxVUs: 16,
    },
    search: { executor: 'constant-vus', exec: 'search', vus: 4, duration: `${seconds}s` },
  },
  thresholds: {
    checks: ['rate==1'],
    'http_req_duration{scenario:search}': ['p(50)<300', 'p(99)<3000'],
  },
}

export function ingest() {
  const answer = http.post(
    `${base}/logeye/api/logger.jsp?token=${__ENV.TOKEN}&hostName=k6`,
    batch,
    {
      headers: { 'Content-Type': 'application/json' },
    },
  )
  check(answer, { 'ingest answered 200': (response) => response.status === 200 })
}

export function search() {
  const answer = http.post(`${base}/logeye/view/api/widgetAPI.jsp`, {
    widgetId: 'searchAPI',
    searchQuery: QUERIES[Math.floor(Math.random() * QUERIES.length)],
    fixedInterval: 'last60Minutes',
    resultFormat: 'csv',
    autoLogin: 'true',
    username: 'admin',
    password: __ENV.PASSWORD,
  })
  check(answer, {
    'search answered OK': (response) =>
      response.status === 200 && response.body.includes('state="OK"'),
  })
}
