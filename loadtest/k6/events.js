// Events of the shape that loadtest/support/events.ts makes, for k6 (which does not run TypeScript
// modules of Node).
const SERVICES = ['cart', 'checkout', 'payments', 'orders', 'search']
const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'ERROR']
const OUTCOMES = [
  'completed normally',
  'failed: deadline exceeded in upstream call',
  'failed: payment declined by issuer',
  'gave up after 3 retries',
]

export function makeLines(seed, count) {
  let state = seed
  const random = (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % limit
  }
  const hex = () => random(0x7fffffff).toString(16).padStart(8, '0')
  const lines = []
  for (let line = 0; line < count; line += 1) {
    lines.push(
      JSON.stringify({
        timestamp: new Date(Date.now() + line).toISOString(),
        host: `web-${random(40)}`,
        service: SERVICES[random(SERVICES.length)],
        level: LEVELS[random(LEVELS.length)],
        message: `GET /api/v2/orders/${random(100_000)} from 10.${random(256)}.${random(256)}.7 ${OUTCOMES[random(OUTCOMES.length)]}`,
        trace_id: hex() + hex() + hex() + hex(),
        status: 200 + random(300),
        duration_ms: random(100_000) / 100,
        thread: `worker-${random(32)}`,
      }),
    )
  }
  return lines
}
