// What a block is in the event log, in the words of Avro. Version 3 says more of a request than
// version 2, and is written only where there is more to say (docs/decisions/0031).
import { REJECTION_CODES } from './schema.ts'

const REQUEST_FIELDS = [
  { name: 'accountId', type: 'long' },
  { name: 'accountVersion', type: 'long' },
  { name: 'receivedMs', type: 'long' },
  { name: 'hostName', type: 'string' },
  { name: 'peer', type: 'string' },
  { name: 'idempotencyKey', type: 'string' },
  { name: 'body', type: 'bytes' },
  // Pairs start, end as unsigned 32-bit little-endian.
  { name: 'ranges', type: 'bytes' },
  {
    name: 'rejections',
    type: {
      type: 'array',
      items: {
        type: 'record',
        name: 'Rejection',
        fields: [
          { name: 'index', type: 'long' },
          { name: 'code', type: { type: 'enum', name: 'Code', symbols: [...REJECTION_CODES] } },
          { name: 'start', type: 'long' },
          { name: 'end', type: 'long' },
        ],
      },
    },
  },
] as const

const ORIGIN_FIELDS = [
  { name: 'form', type: 'string' },
  {
    name: 'places',
    type: {
      type: 'array',
      items: {
        type: 'record',
        name: 'Place',
        fields: [
          { name: 'host', type: 'string' },
          { name: 'source', type: 'string' },
        ],
      },
    },
  },
  // Unsigned 32-bit little-endian; empty when the input says nothing of its events.
  { name: 'placeOf', type: 'bytes' },
  // 64-bit floats, little-endian, two an event.
  { name: 'times', type: 'bytes' },
] as const

/** Of version 2, and of version 1. */
export const BLOCK_SCHEMA_2 = blockOf(REQUEST_FIELDS)
export const BLOCK_SCHEMA_3 = blockOf([...REQUEST_FIELDS, ...ORIGIN_FIELDS])

function blockOf(requestFields: readonly object[]) {
  return {
    type: 'record',
    name: 'Block',
    namespace: 'logeye',
    fields: [
      { name: 'listener', type: 'string' },
      { name: 'sequence', type: 'long' },
      {
        name: 'requests',
        type: {
          type: 'array',
          items: { type: 'record', name: 'Request', fields: requestFields },
        },
      },
    ],
  }
}
