import { expect, it } from 'vitest'
import { readTraceId } from '../../../../portal/edge/trace-id.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const read = (traceparent: string) =>
  readTraceId(new Request('http://portal.test', { headers: { traceparent } }))

it('a trace is read as the standard writes it, and is none otherwise', () => {
  expect(read(`00-${TRACE}-${SPAN}-01`)).toBe(TRACE)
  expect(read(`00-${TRACE}-${SPAN}-00`)).toBe(TRACE)
  // Of a later version.
  expect(read(`cc-${TRACE}-${SPAN}-01-more`)).toBe(TRACE)
  expect(readTraceId(new Request('http://portal.test'))).toBeUndefined()
  for (const wrong of [
    ...['', 'x', TRACE, `ff-${TRACE}-${SPAN}-01`, `00-${'0'.repeat(32)}-${SPAN}-01`],
    ...[`00-${TRACE}-${'0'.repeat(16)}-01`, `00-${TRACE}-${SPAN}-01-more`, `00-${TRACE}-${SPAN}`],
    ...[`00-${TRACE.toUpperCase()}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01x`, `00-${TRACE}-${SPAN}-0`],
  ])
    expect(read(wrong), wrong).toBeUndefined()
})
