// Object storages that speak S3: requests signed by the package aws4fetch (AWS Signature 4), sent
// by us through the guard.
import { AwsV4Signer } from 'aws4fetch'
import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { describeConnection } from './describe-connection.ts'
import { sendRequest } from './request.ts'

export type S3Target = {
  readonly bucket: string
  readonly region: string
  /** '' for Amazon's. */
  readonly endpoint: string
  readonly accessKey: string
  readonly secretKey: string
}

export type S3Seen = { readonly failed: string } | { readonly hasObjects: boolean }

const MAX_ANSWER_BYTES = 256 * 1024
const parser = new XMLParser({ processEntities: false, parseTagValue: false })
const listSchema = z.object({ ListBucketResult: z.object({ KeyCount: z.string().optional() }) })
const errorSchema = z.object({ Error: z.object({ Code: z.string() }) })

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NoSuchBucket: 'there is no such bucket',
    InvalidAccessKeyId: 'the storage does not know this access key',
    SignatureDoesNotMatch: 'the secret key is not that of the access key',
    AccessDenied: 'this access key may not do that in the bucket',
    AuthorizationHeaderMalformed: 'the bucket is in another region: give it as -region',
    PermanentRedirect: 'the bucket is in another region: give it as -region',
    RequestTimeTooSkewed: 'the clocks of the storage and of this machine differ',
  }),
)

/** Lists one object. */
export async function tryS3(
  target: S3Target,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<S3Seen> {
  const url = bucketUrl(target)
  url.search = 'list-type=2&max-keys=1'
  try {
    const signed = await signS3(target, { url, nowMs, method: 'GET', headers: {} })
    const { status, body } = await sendRequest({
      ...{ ...signed, certificate: '', maxBytes: MAX_ANSWER_BYTES, signal },
    })
    return status === 200 ? readList(body) : { failed: readRefusal(status, body) }
  } catch (error) {
    return { failed: describeConnection(error, signal) }
  }
}

/** Address and headers of a call, with its signature. */
export async function signS3(
  { region, accessKey, secretKey }: S3Target,
  call: {
    readonly url: URL
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly nowMs: number
  },
): Promise<{ url: URL; headers: Record<string, string> }> {
  const { url, method, headers, nowMs } = call
  const signed = await new AwsV4Signer({
    ...{ url: url.href, method, headers: { ...headers }, service: 's3', region },
    ...{ accessKeyId: accessKey, secretAccessKey: secretKey },
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return { url: signed.url, headers: Object.fromEntries(signed.headers) }
}

/** Without what is behind it. */
export function bucketUrl({ endpoint, bucket, region }: S3Target): URL {
  if (endpoint !== '') return new URL(`${endpoint}/${bucket}`)
  // A dot in the name is not covered by the certificate.
  return bucket.includes('.')
    ? new URL(`https://s3.${region}.amazonaws.com/${bucket}`)
    : new URL(`https://${bucket}.s3.${region}.amazonaws.com/`)
}

function readList(body: string): S3Seen {
  const parsed = listSchema.safeParse(parseXml(body))
  if (!parsed.success) return { failed: 'it answers, but not as an S3 storage does' }
  return { hasObjects: Number(parsed.data.ListBucketResult.KeyCount ?? 0) > 0 }
}

/** In words for whoever made the account. */
export function readRefusal(status: number, body: string): string {
  const code = errorSchema.safeParse(parseXml(body)).data?.Error.Code ?? ''
  return REASONS.get(code) ?? `it answers with the HTTP status ${status}`
}

function parseXml(text: string): unknown {
  if (text.includes('<!DOCTYPE')) return undefined
  try {
    return parser.parse(text)
  } catch {
    return undefined
  }
}
