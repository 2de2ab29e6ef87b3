// Where objects are, by address: `s3://<access key>:<secret key>@<bucket>/<prefix>` with `region`
// and `endpoint`, or `file:///<folder>`.

import { fileURLToPath } from 'node:url'
import { trimEnd } from '../../schemas/names/trim-end.ts'
import type { S3Target } from '../outbound/s3.ts'

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?:[a-z0-9_-][a-z0-9._-]{0,99}\/)*$/
const REGION = /^[a-z0-9-]{1,40}$/

export type S3Place = S3Target & { readonly prefix: string }
type Place = S3Place | { readonly folder: string }

/** Why the address cannot be used, without what stands in it; undefined: it can. */
export function findObjectsUrlFault(url: string): string | undefined {
  try {
    parseObjectsUrl(url)
    return undefined
  } catch (error) {
    return error instanceof RangeError ? error.message : 'must be s3://… or file:///…'
  }
}

/** Throws RangeError, and TypeError for what is no address. */
export function parseObjectsUrl(text: string): Place {
  const url = new URL(text)
  if (url.protocol === 'file:') return { folder: fileURLToPath(url) }
  if (url.protocol !== 's3:') throw new RangeError('must be s3://… or file:///…')
  const path = url.pathname.replace(/^\//, '').replace(/\/?$/, '/')
  const place = {
    bucket: url.hostname,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: trimEnd(url.searchParams.get('endpoint') ?? '', '/'),
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    prefix: path === '/' ? '' : path,
  }
  const unknown = [...url.searchParams.keys()].find((it) => it !== 'region' && it !== 'endpoint')
  if (unknown !== undefined) throw new RangeError('takes the parameters region and endpoint alone')
  if (!BUCKET.test(place.bucket)) throw new RangeError('must name a bucket: s3://key:secret@bucket')
  if (place.accessKey === '' || place.secretKey === '')
    throw new RangeError('must have access key and secret key, %-encoded: s3://key:secret@bucket')
  if (!PREFIX.test(place.prefix))
    throw new RangeError('must have a prefix of a-z, 0-9, _, - and . only')
  if (!REGION.test(place.region)) throw new RangeError('has a region that is none')
  if (place.endpoint !== '' && !/^https?:\/\/[^/?#@]+$/.test(place.endpoint))
    throw new RangeError('has an endpoint that is none: http://host:port or https://host')
  return place
}
