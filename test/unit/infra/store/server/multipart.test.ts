import { describe, expect, it } from 'vitest'
import { parseMultipart } from '../../../../../infra/store/server/request/multipart.ts'

const body = (...parts: [string, string][]) =>
  Buffer.from(
    `${parts.map(([name, value]) => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--B--\r\n`,
  )

describe('multipart bodies', () => {
  it('give each part as it is', () => {
    const parts: [string, string][] = [
      ['query', 'SELECT 1'],
      ['param_a', 'x\r\n--C\r\n\r\n größe \0'],
      ['param_empty', ''],
    ]
    expect([...parseMultipart(body(...parts), 'multipart/form-data; boundary=B')]).toEqual(parts)
  })

  it.each([
    ['without a boundary', 'multipart/form-data', body(['a', 'b'])],
    ['with another boundary', 'multipart/form-data; boundary=X', body(['a', 'b'])],
    ['that are cut', 'multipart/form-data; boundary=B', body(['a', 'b']).subarray(0, -6)],
    [
      'without a name',
      'multipart/form-data; boundary=B',
      Buffer.from('--B\r\nX: y\r\n\r\nz\r\n--B--'),
    ],
  ])('%s are refused', (_, contentType, bytes) => {
    expect(() => parseMultipart(bytes, contentType)).toThrow('malformed')
  })
})
