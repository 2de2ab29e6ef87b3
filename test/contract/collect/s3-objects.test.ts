// Objects of a bucket (docs/decisions/0118), against a real S3 server: each line once, whatever the
// order in which keys are listed, and when an object is replaced.
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type S3Target, signS3 } from '../../../infra/outbound/s3.ts'
import { addAccount, collectByBook } from '../../support/collect/account-collect.ts'
import {
  type CollectPlace,
  openCollectPlace,
  type RunningCollector,
} from '../../support/collect/collect-place.ts'
import { type S3Server, s3Missing, startS3Server } from '../../support/remote/s3-server.ts'
import { describeUnless } from '../../support/run/skip.ts'

describeUnless(s3Missing(), 'objects of a bucket', () => {
  let server: S3Server
  let target: S3Target
  let collect: CollectPlace
  let running: RunningCollector | undefined
  let logId = 0

  beforeAll(async () => {
    server = await startS3Server()
    const { endpoint, bucket, accessKey, secretKey } = server
    target = { endpoint, bucket, accessKey, secretKey, region: 'us-east-1' }
    collect = await openCollectPlace()
    const settings = { endpoint, bucket, accessKey, region: 'us-east-1' }
    await addAccount(collect, { kind: 's3', name: 'cloud', settings, secrets: { secretKey } })
    await addAccount(collect, {
      ...{ kind: 's3', name: 'wrong', settings, secrets: { secretKey: 'not it' } },
    })
    logId = await collect.addLog('objects', { filePaths: ['/app/**/*.log*'], account: 'cloud' })
    await collect.addLog('refused', { filePaths: ['/app/*'], account: 'wrong' })
  })
  afterAll(async () => {
    await running?.stop()
    await collect?.close()
    await server?.stop()
  })

  async function put(key: string, content: string | Buffer): Promise<void> {
    const url = new URL(`${server.endpoint}/${server.bucket}`)
    url.pathname += `/${key.split('/').map(encodeURIComponent).join('/')}`
    const hash = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
    const call = { url, method: 'PUT', headers: hash, nowMs: collect.clock.nowMs() }
    const signed = await signS3(target, call)
    const body = typeof content === 'string' ? content : new Uint8Array(content)
    const answer = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body })
    expect(answer.status).toBe(200)
  }
  const messages = async () => (await collect.messages(logId)).toSorted()
  const until = (expected: readonly string[]) => collect.untilEqual(messages, expected.toSorted())
  const lines = (name: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `${name} line number ${from + at} of it`)
  const text = (all: readonly string[]) => `${all.join('\n')}\n`

  it('reads each object once, packed or not, and those that are listed late', async () => {
    const all = [...lines('b', 1, 5000), ...lines('d', 1, 300)]
    await put('app/b.log', text(lines('b', 1, 5000)))
    await put('app/2026/d +ü.log.gz', gzipSync(text(lines('d', 1, 300))))
    await put('app/other.txt', 'not taken\n')
    await put('elsewhere/x.log', 'not taken\n')
    running = await collectByBook(collect)
    await until(all)
    // Behind the others in time, before them by key; and with the bytes of another one.
    await put('app/a.log', text(lines('a', 1, 10)))
    await put('app/c.log', text(lines('a', 1, 10)))
    all.push(...lines('a', 1, 10), ...lines('a', 1, 10))
    await until(all)
    // Replaced: by one that goes on, and by another one.
    await put('app/a.log', text(lines('a', 1, 12)))
    await put('app/c.log', text(lines('new', 1, 3)))
    all.push(...lines('a', 11, 12), ...lines('new', 1, 3))
    await until(all)
    const fault = running.telemetry
      .progress()
      .find(({ log }) => log === 'refused')
      ?.faults.join()
    expect(fault).toContain('the secret key is not that of the access key')
  })

  it('stores each line once when the collector is killed', async () => {
    await running?.stop()
    const before = await messages()
    // Several pieces.
    const own = lines(`killed ${'x'.repeat(200)}`, 1, 40_000)
    await put('app/killed.log', text(own))
    for (const point of ['note', 'append', 'appended'] as const) {
      const child = collect.fork(point, 2, 'cloud')
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    }
    running = await collectByBook(collect)
    await until([...before, ...own])
  })
})
