// The health check of the image: exits 0 when the product says that it is ready. With names of
// parts (`listener eventLog`) only these count, in every process that has them: a listener takes
// events while the store is away, and must not be taken out for it.
const LIMIT_MS = 4000

const parts = process.argv.slice(2)
const port = process.env.LOGEYE_HTTP_PLAIN_PORT || '30303'
const address = process.env.LOGEYE_HTTP_ADDRESS || '127.0.0.1'
const host = address.includes(':') ? `[${address}]` : address

try {
  const answer = await fetch(`http://${host}:${port}/logeye/health/ready`, {
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  const { ready, processes } = await answer.json()
  const isReady = parts.length === 0 ? ready === true : parts.every((part) => has(processes, part))
  if (!isReady) console.error(JSON.stringify(processes))
  process.exitCode = isReady ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : 'no answer')
  process.exitCode = 1
}

function has(processes, part) {
  const said = Object.values(processes)
    .map((ready) => ready[part])
    .filter((it) => it !== undefined)
  return said.length > 0 && said.every(Boolean)
}
