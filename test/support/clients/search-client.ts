// The public search, as a program uses it: CSV inside the XML envelope, read back into rows.

export type SearchAnswer = {
  readonly state: string
  readonly message: string
  readonly numberOfResults: number
  /** Header line first. */
  readonly rows: string[][]
}

export type SearchClient = {
  search(query: string, parameters?: Readonly<Record<string, string>>): Promise<SearchAnswer>
  /** The one number of a `… | count`. */
  count(query: string): Promise<number>
}

export function makeSearchClient(url: string, password: string, user = 'admin'): SearchClient {
  async function search(
    query: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<SearchAnswer> {
    const body = new URLSearchParams({
      widgetId: 'searchAPI',
      searchQuery: query,
      fixedInterval: 'allData',
      resultFormat: 'csv',
      ...parameters,
      autoLogin: 'true',
      username: user,
      password,
    })
    const answer = await fetch(`${url}/logeye/view/api/widgetAPI.jsp`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(120_000),
    })
    return parseAnswer(await answer.text())
  }
  return {
    search,
    async count(query) {
      const answer = await search(`${query} | count`)
      if (answer.state !== 'OK') throw new Error(answer.message)
      return Number(answer.rows[1]?.[0] ?? 0)
    },
  }
}

export function parseAnswer(xml: string): SearchAnswer {
  const attribute = (name: string) =>
    new RegExp(`<Status[^>]* ${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
  const data = [...xml.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g)].map((match) => match[1]).join('')
  return {
    state: attribute('state'),
    message: /<Message[^>]*>([\s\S]*?)<\/Message>/.exec(xml)?.[1] ?? '',
    numberOfResults: Number(attribute('numberOfResults')),
    rows: parseCsv(data),
  }
}

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const pattern = /("(?:[^"]|"")*"|[^,\n\r]*)(,|\r?\n|$)/g
  for (const match of text.matchAll(pattern)) {
    const [, cell = '', end] = match
    if (cell === '' && end === '' && row.length === 0) break
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end !== ',') {
      rows.push(row)
      row = []
    }
  }
  return rows
}
