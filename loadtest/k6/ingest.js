// k6 run -e URL=http://localhost:30303 -e TOKEN=<listener token> loadtest/k6/ingest.js
// Scenarios one after the other: single events, batches of 100 and of 10,000 lines, gzip. Bounded
// in time.
//
// Requests begin at a fixed rate, whatever the answers take: the times asked for are those at half
// load, and senders that each wait for their answer before the next load any machine fully. The
// rates are about half of what a laptop of two cores carries with k6 on it (k6 takes more of it
// than the product); SCALE=4 asks for four times as much, for a larger machine or a k6 of its own.
import { check } from 'k6'
import { SharedArray } from 'k6/data'
import http from 'k6/http'
import { makeLines } from './events.js'

const url = `${__ENV.URL || 'http://localhost:30303'}/logeye/api/logger.jsp?token=${__ENV.TOKEN}&hostName=k6`
const seconds = Number(__ENV.SECONDS || 10)

const singles = new SharedArray('singles', () => makeLines(1, 500))
const hundreds = new SharedArray('hundreds', () =>
  [0, 1, 2, 3].map((seed) => makeLines(seed + 2, 100).join('\n')),
)
const thousands = new SharedArray('thousands', () => [makeLines(9, 10_000).join('\n')])

/** Each look into a SharedArray reads its text anew, which costs more than to send it. */
let kept
function thousand() {
  kept = kept || thousands[0]
  return kept
}

const scale = Number(__ENV.SCALE || 1)

/** `rate`: requests a second. */
const scenario = (exec, index, rate, vus) => ({
  executor: 'constant-arrival-rate',
  exec,
  rate: Math.max(1, Math.round(rate * scale)),
  timeUnit: '1s',
  preAllocatedVUs: vus,
  maxVUs: 4 * vus,
  duration: `${seconds}s`,
  startTime: `${index * (seconds + 2)}s`,
  gracefulStop: '10s',
})

export const options = {
  scenarios: {
    single: scenario('single', 0, 500, 16),
    batch100: scenario('batch100', 1, 100, 16),
    batch10000: scenario('batch10000', 2, 2, 4),
    gzip: scenario('gzip', 3, 2, 4),
  },
  thresholds: {
    checks: ['rate==1'],
    // A rate that was not reached says nothing about times.
    dropped_iterations: ['count<10'],
    // Nor does a scenario that sent nothing: k6 holds its times for kept.
    'http_reqs{scenario:single}': ['count>0'],
    'http_reqs{scenario:batch100}': ['count>0'],
    'http_reqs{scenario:batch10000}': ['count>0'],
    'http_reqs{scenario:gzip}': ['count>0'],
    'http_req_duration{scenario:single}': ['p(50)<10', 'p(99)<100'],
    'http_req_duration{scenario:batch100}': ['p(99)<200'],
    'http_req_duration{scenario:batch10000}': ['p(99)<2000'],
    'http_req_duration{scenario:gzip}': ['p(99)<2000'],
  },
}

function post(body, headers) {
  const answer = http.post(url, body, {
    headers: Object.assign({ 'Content-Type': 'application/json' }, headers),
  })
  check(answer, {
    'answered 200 and accepted': (response) =>
      response.status === 200 && response.json('rejected') === 0,
  })
}

export function single() {
  post(singles[Math.floor(Math.random() * singles.length)])
}

export function batch100() {
  post(hundreds[Math.floor(Math.random() * hundreds.length)])
}

export function batch10000() {
  post(thousand())
}

export function gzip() {
  const answer = http.post(url, thousand(), {
    compression: 'gzip',
    headers: { 'Content-Type': 'application/json' },
  })
  check(answer, {
    'gzip accepted': (response) => response.status === 200 && response.json('accepted') === 10_000,
  })
}
