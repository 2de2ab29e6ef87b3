// Answers of a storage that is broken or means harm: refused, and no more of them read than needed.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { S3Files } from '../../../../infra/outbound/s3-files.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

it.each([
  ['a key that is no encoded text', page('', '%zz')],
  ['an element without an end', '<ListBucketResult><Contents'],
  ['elements inside each other', '<a>'.repeat(1000)],
  ['a reserved name', page('<__proto__>1</__proto__>')],
  ['more elements than a page of objects has', page('<a/>'.repeat(40_000))],
])('a list with %s is none', async (_, text) => {
  const files = await listen((answer) => answer.end(text))
  await expect(files.list('')).rejects.toMatchObject({
    ...{ code: 'EREMOTE', message: 'bucket b: it answers, but not as an S3 storage does' },
  })
})

it('a content that is longer than asked for is not read to its end', async () => {
  const files = await listen((answer) => writeForever(answer))
  const object = { key: 'k', etag: 'e', size: 10, changedMs: 0 }
  await expect(files.read(object, 0, 10)).rejects.toMatchObject({
    ...{ code: 'EREMOTE', message: 'bucket b: it gives other bytes than it was asked for' },
  })
})

async function listen(serve: (answer: ServerResponse) => void): Promise<S3Files> {
  server = createServer((_, answer) => serve(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const target = { bucket: 'b', region: 'r', endpoint: `http://127.0.0.1:${port}` }
  return new S3Files({ ...target, accessKey: 'a', secretKey: 's' }, { nowMs: () => Date.now() })
}

function writeForever(answer: ServerResponse): void {
  const part = Buffer.alloc(65_536)
  const write = () => {
    while (answer.write(part));
    answer.once('drain', write)
  }
  write()
}

function page(content: string, key = 'k'): string {
  const object = `<Key>${key}</Key><Size>1</Size><LastModified>x</LastModified><ETag>e</ETag>`
  return `<ListBucketResult>${content}<Contents>${object}</Contents></ListBucketResult>`
}
