// How the common shippers send to a listener (docs/guides/send-events.md). Pure.

export type Recipe = { readonly name: string; readonly text: string }

/** `origin`: scheme, host and port of the product. */
export function recipesFor(token: string, origin: string): Recipe[] {
  const url = new URL(origin)
  const path = '/logeye/api/logger.jsp'
  const address = `${origin}${path}?token=${token}`
  const isTls = url.protocol === 'https:'
  const port = url.port || (isTls ? '443' : '80')
  return [
    {
      name: 'curl',
      text: `curl -X POST '${address}&hostName=web-01' \\
     -H 'Content-Type: application/json' \\
     -d '{"message":"first event","level":"INFO"}'`,
    },
    {
      name: 'Vector',
      text: `[sinks.logeye]
type = "http"
inputs = ["my_source"]
uri = "${address}"
encoding.codec = "json"
framing.method = "newline_delimited"
compression = "gzip"`,
    },
    {
      name: 'Fluent Bit',
      text: `[OUTPUT]
    Name     http
    Match    *
    Host     ${url.hostname}
    Port     ${port}
    Tls      ${isTls ? 'On' : 'Off'}
    URI      ${path}?token=${token}
    Format   json_lines
    Compress gzip`,
    },
    {
      name: 'Node.js',
      text: `await fetch('${address}&hostName=web-01', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ message: 'first event', level: 'INFO' }),
})`,
    },
    {
      name: 'Python',
      text: `import requests
requests.post('${address}&hostName=web-01',
              json={'message': 'first event', 'level': 'INFO'}, timeout=10)`,
    },
  ]
}
