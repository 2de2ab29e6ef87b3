import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readRows, StreamedException } from '../../../../infra/store/row-stream.ts'

const TAG = 'abcdefgh12345678'
const MESSAGE = "Code: 159. DB::Exception: Timeout exceeded: größe\n'x'. (TIMEOUT_EXCEEDED)\n"
const ROWS = '[1,"ä\\r\\n"]\n[2,"{}"]\n[3,null]\n'
const EXCEPTION = `\r\n__exception__\r\n${TAG}\r\n${MESSAGE}${Buffer.byteLength(MESSAGE)} ${TAG}\r\n__exception__\r\n`

async function read(
  chunks: readonly Buffer[],
  end?: Error,
): Promise<{ rows: unknown[]; error: unknown }> {
  const rows: unknown[] = []
  async function* source() {
    yield* chunks
    if (end) throw end
  }
  try {
    for await (const batch of readRows(Readable.from(source()), TAG)) rows.push(...batch)
    return { rows, error: undefined }
  } catch (error) {
    return { rows, error }
  }
}

function cutEverywhere(text: string): Buffer[][] {
  const bytes = Buffer.from(text)
  return Array.from({ length: bytes.length + 1 }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ])
}

describe('rows read as bytes', () => {
  it('have the bytes as characters, also those that are no UTF-8, wherever they are cut', async () => {
    const bytes = Buffer.from('["\\u2028 \xc3\xbc \xff\xe2\x82"]\n["b"]\n', 'latin1')
    for (let at = 0; at <= bytes.length; at += 1) {
      const chunks = Readable.from([bytes.subarray(0, at), bytes.subarray(at)])
      const rows: unknown[] = []
      for await (const batch of readRows(chunks, TAG, 'latin1')) rows.push(...batch)
      expect(rows).toEqual([['\u2028 \xc3\xbc \xff\xe2\x82'], ['b']])
    }
  })
})

describe('rows of an answer', () => {
  const all = [
    [1, 'ä\r\n'],
    [2, '{}'],
    [3, null],
  ]

  it('come whole wherever the chunks are cut', async () => {
    for (const chunks of cutEverywhere(ROWS))
      expect(await read(chunks)).toEqual({ rows: all, error: undefined })
    const single = [...Buffer.from(ROWS)].map((byte) => Buffer.from([byte]))
    expect((await read(single)).rows).toEqual(all)
  })

  it('come without a last line end, too', async () => {
    expect((await read([Buffer.from('[1]\n[2]')])).rows).toEqual([[1], [2]])
  })

  it('an exception behind them has its code wherever the chunks are cut, also when the connection is cut', async () => {
    for (const chunks of cutEverywhere(ROWS + EXCEPTION))
      for (const end of [undefined, new Error('aborted')]) {
        const { rows, error } = await read(chunks, end)
        expect(rows).toEqual(all)
        expect(error).toBeInstanceOf(StreamedException)
        expect(error).toMatchObject({ code: 159 })
      }
  })

  it('an exception in the middle of a row leaves that row out', async () => {
    for (const chunks of cutEverywhere(`[1]\n[2,"hal${EXCEPTION}`)) {
      const { rows, error } = await read(chunks)
      expect(rows).toEqual([[1]])
      expect(error).toMatchObject({ code: 159 })
    }
  })

  it('an exception before the first of them has its code', async () => {
    expect((await read([Buffer.from(EXCEPTION)])).error).toMatchObject({ code: 159 })
  })

  it('text that only looks like an exception is data', async () => {
    const row = JSON.stringify([EXCEPTION])
    expect((await read([Buffer.from(`${row}\n`)])).rows).toEqual([[EXCEPTION]])
  })

  it('a connection that is cut is an error, not an end', async () => {
    expect((await read([Buffer.from('[1]\n')], new Error('aborted'))).error).toMatchObject({
      message: 'aborted',
    })
  })
})
