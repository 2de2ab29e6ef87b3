// The public search and our JSON interface over one kept connection, with the sign-in in each call,
// as a program uses them.
import { parseAnswer, type SearchAnswer } from '../../../test/support/clients/search-client.ts'
import { KeepAliveClient } from './keep-alive-client.ts'

export type Window = { readonly startMs: number; readonly endMs: number } | 'all'
export type SignIn = { readonly user: string; readonly password: string }

export class OurClient {
  readonly #http: KeepAliveClient
  readonly #signIn: SignIn

  constructor(port: number, signIn: SignIn) {
    this.#http = new KeepAliveClient(port)
    this.#signIn = signIn
  }

  async search(
    query: string,
    window: Window = 'all',
    more: Readonly<Record<string, string>> = {},
  ): Promise<SearchAnswer> {
    const answer = parseAnswer(await this.text(query, window, more))
    if (answer.state !== 'OK') throw new Error(answer.message || 'no answer of a search')
    return answer
  }

  /** The answer as it comes. */
  async text(
    query: string,
    window: Window,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { user, password } = this.#signIn
    const form = new URLSearchParams({
      widgetId: 'searchAPI',
      searchQuery: query,
      ...timesOf(window),
      resultFormat: 'csv',
      ...more,
      autoLogin: 'true',
      username: user,
      password,
    })
    return (await this.#http.post('/logeye/view/api/widgetAPI.jsp', form.toString())).text
  }

  async json(path: string, parameters: Readonly<Record<string, unknown>>): Promise<string> {
    const { user, password } = this.#signIn
    const basic = Buffer.from(`${user}:${password}`).toString('base64')
    const body = JSON.stringify({ interval: 'allData', ...parameters })
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' }
    const { status, text } = await this.#http.post(`/logeye/api/search/${path}`, body, headers)
    if (status !== 200) throw new Error(`${path} answers ${status}: ${text.slice(0, 200)}`)
    return text
  }

  close(): void {
    this.#http.close()
  }
}

function timesOf(window: Window): Record<string, string> {
  if (window === 'all') return { fixedInterval: 'allData' }
  const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19).concat('Z')
  return { startTimeFullStr: iso(window.startMs), endTimeFullStr: iso(window.endMs) }
}
