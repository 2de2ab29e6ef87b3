// One figure: warm, product and peer by turns, the middle of five; and the first run of each query, which no cache has seen.
import type { Figure, PeerQuestion } from './figures.ts'
import type { OurClient, Window } from './our-client.ts'
import type { Peer } from './peer.ts'

const ROUNDS = 5

export type Measured = {
  readonly figure: Figure
  /** Undefined with `error` set. */
  readonly oursMs: number | undefined
  readonly firstMs: number
  readonly peerMs: number | undefined
  readonly error: string
  /** Where both should give one number and do not. */
  readonly difference: string
}

export async function measureFigure(
  figure: Figure,
  ours: OurClient,
  peer: Peer | undefined,
  window: Window,
): Promise<Measured> {
  const nothing = { figure, oursMs: undefined, firstMs: 0, peerMs: undefined, difference: '' }
  const askPeer = peer && figure.peer ? await quickest(figure.peer, peer) : undefined
  const askOurs = () => ask(figure, ours, window)
  const times: number[] = []
  const peerTimes: number[] = []
  let answer = ''
  let peerAnswer = ''
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      const started = performance.now()
      answer = await askOurs()
      times.push(performance.now() - started)
      if (!askPeer) continue
      const peerStarted = performance.now()
      peerAnswer = await askPeer()
      peerTimes.push(performance.now() - peerStarted)
    }
  } catch (error) {
    return { ...nothing, error: error instanceof Error ? error.message : String(error) }
  }
  const [firstMs = 0, ...warm] = times
  return {
    figure,
    oursMs: median(warm),
    firstMs,
    peerMs: askPeer ? median(peerTimes.slice(1)) : undefined,
    error: '',
    difference:
      figure.compares === 'number' && askPeer && answer !== peerAnswer
        ? `${answer} here, ${peerAnswer} at the peer`
        : '',
  }
}

/** The first cell of a table, for comparing. */
async function ask({ ours }: Figure, client: OurClient, window: Window): Promise<string> {
  if (typeof ours === 'string') {
    const { rows } = await client.search(ours, window)
    return rows[1]?.[0] ?? ''
  }
  for (const { path, parameters } of ours.json) {
    if ((await client.json(path, parameters)) !== undefined) continue
    for (const query of ours.orSearch) await client.search(query, window)
    break
  }
  return ''
}

/** The peer's best way to the same answer. */
async function quickest(ways: PeerQuestion, peer: Peer): Promise<() => Promise<string>> {
  const asked = ways.map((way) => async () => {
    if ('facets' in way) return await peer.facets(way.facets, way.fields)
    const lines = await peer.query(way.query, way.limit ? { limit: way.limit } : {})
    return /"rows":"(\d+)"/.exec(lines[0] ?? '')?.[1] ?? ''
  })
  let best = asked[0]
  let bestMs = Number.POSITIVE_INFINITY
  for (const way of asked) {
    await way()
    const started = performance.now()
    await way()
    const ms = performance.now() - started
    if (ms < bestMs) {
      best = way
      bestMs = ms
    }
  }
  if (!best) throw new Error('the peer is asked nothing')
  return best
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
