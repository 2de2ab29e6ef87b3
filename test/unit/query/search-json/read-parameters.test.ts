import { describe, expect, it } from 'vitest'
import { parseGiven, readGiven as readCall } from '../../../../query/search-json/read-parameters.ts'
import { eventsParameters, facetsParameters } from '../../../../schemas/search-json/parameters.ts'

const address = (query: string) => new Request(`http://localhost/x?${query}`)
const body = (text: string, type = 'application/json') =>
  new Request('http://localhost/x', {
    method: 'POST',
    body: text,
    headers: { 'content-type': type },
  })

async function readGiven(request: Request) {
  return readCall({ request, body: new Uint8Array(await request.arrayBuffer()) })
}

async function refused(request: Request): Promise<string> {
  try {
    const given = await readGiven(request)
    parseGiven(facetsParameters.extend({ cursor: eventsParameters.shape.cursor }), given)
    return 'taken'
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

describe('parameters', () => {
  it('are the same from an address, a form and a JSON object, credentials aside', async () => {
    const expected = { query: 'a b', limit: 5, columns: ['x', 'y,z'], interval: 'allData' }
    const text = 'query=a+b&limit=5&columns=x&columns=y%2Cz&interval=allData'
    const credentials = '&autoLogin=true&username=u&password=p'
    for (const request of [
      address(text + credentials),
      body(text + credentials, 'application/x-www-form-urlencoded'),
      body(JSON.stringify(expected)),
    ])
      expect(parseGiven(facetsParameters, await readGiven(request))).toEqual(expected)
  })

  it('have defaults, and one value of a list is a list', async () => {
    expect(parseGiven(facetsParameters, await readGiven(address('columns=x')))).toEqual({
      query: '*',
      limit: 10,
      columns: ['x'],
    })
  })

  it.each([
    ['limit=0', 'limit: must be at least 1'],
    ['limit=101', 'limit: must be at most 100'],
    ['limit=x', 'limit: must be a whole number'],
    ['limit=1.5', 'limit: must be a whole number'],
    ['limit=', 'limit: must be a whole number'],
    ['query=a&query=b', 'query: must be one text'],
    ['interval=tomorrow', 'interval: must be one of last15Minutes,'],
    ['qurey=a', 'qurey: unknown parameter'],
    ['toString=1', 'toString: unknown parameter'],
    ['columns=', 'columns: must be at least 1 characters long'],
    [`columns=${'x&columns='.repeat(20)}x`, 'columns: must be at most 20 values'],
    ['searchId=', 'searchId: must be at least 1 characters long'],
  ])('%s is refused by its name', async (query, message) => {
    expect(await refused(address(query))).toContain(message)
  })

  it.each([
    ['{"limit":"5"}', 'taken'],
    ['{"limit":5.5}', 'limit: must be a whole number'],
    ['{"limit":null}', 'limit: must be a whole number'],
    ['{"columns":"x"}', 'taken'],
    ['{"columns":[1]}', 'columns: must be one text'],
    ['{"query":5}', 'query: must be one text'],
    ['[1]', 'body: must be a JSON object'],
    ['{', 'body: must be a JSON object'],
  ])('%s as a body: %s', async (text, message) => {
    expect(await refused(body(text))).toContain(message)
  })

  it('in address and body at once, and other bodies, are refused', async () => {
    const both = new Request('http://localhost/x?limit=5', {
      method: 'POST',
      body: '{"limit":5}',
      headers: { 'content-type': 'application/json' },
    })
    expect(await refused(both)).toContain('limit: ')
    expect(await refused(body('limit=5', 'text/plain'))).toContain('Content-Type: must be')
  })
})
