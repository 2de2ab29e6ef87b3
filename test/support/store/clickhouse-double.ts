// A server that answers over HTTP as ClickHouse does, as far as the official client looks: for what
// is asked of a cluster, and for what a start says of servers that cannot be had here. It proves
// nothing about a real one.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = { readonly sql: string; readonly settings: URLSearchParams }
/** Rows (JSONEachRow), or an exception of the engine. */
export type Answer = readonly object[] | { readonly code: number; readonly text: string }

export async function startClickHouseDouble(answer: (asked: Asked) => Answer): Promise<{
  readonly url: string
  readonly asked: Asked[]
  stop(): Promise<void>
}> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const settings = new URL(request.url ?? '', 'http://double').searchParams
      const body = Buffer.concat(chunks).toString('utf8')
      const own = settings.get('query')
      const one = { sql: own ?? body.replace(/\s*FORMAT \w+\s*$/, ''), settings }
      asked.push(one)
      const said = answer(one)
      if (Array.isArray(said)) {
        response.end(said.map((row) => `${JSON.stringify(row)}\n`).join(''))
        return
      }
      if (!('code' in said)) return
      const { code, text } = said
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) })
      response.end(`Code: ${code}. DB::Exception: ${text}. (NAME) (version 26.7.2.1)`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
