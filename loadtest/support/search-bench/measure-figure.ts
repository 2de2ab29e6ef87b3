// One figure: warm, product and peer by turns, the middle of five; and the first run of each query,
// which no cache has seen.
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
  /** The peer's quickest way to the newest rows. */
  readonly shortcutMs: number | undefined
  readonly error: string
  /** How often it was asked, the first included. */
  readonly runs: number
  /** Where both should give one number and do not. */
  readonly difference: string
}

export async function measureFigure(
  figure: Figure,
  ours: OurClient,
  peer: Peer | undefined,
  window: Window,
): Promise<Measured> {
  const nothing = {
    figure,
    oursMs: undefined,
    firstMs: 0,
    peerMs: undefined,
    difference: '',
    runs: ROUNDS + 1,
  }
  const times: number[] = []
  const peerTimes: number[] = []
  const shortcutTimes: number[] = []
  let answer = ''
  let peerAnswer = ''
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      answer = await timed(times, () => ask(figure, ours, window))
      if (!peer || !figure.peer) continue
      const { peer: question, peerShortcut } = figure
      peerAnswer = await timed(peerTimes, () => askPeer(question, peer))
      if (peerShortcut) await timed(shortcutTimes, () => askPeer(peerShortcut, peer))
    }
  } catch (error) {
    return {
      ...nothing,
      shortcutMs: undefined,
      error: error instanceof Error ? error.message : String(error),
    }
  }
  const [firstMs = 0, ...warm] = times
  return {
    ...nothing,
    oursMs: median(warm),
    firstMs,
    peerMs: medianOf(peerTimes),
    shortcutMs: medianOf(shortcutTimes),
    error: '',
    difference:
      figure.compares === 'number' && peerTimes.length > 0 && answer !== peerAnswer
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
  await client.json(ours.path, ours.parameters)
  return ''
}

async function askPeer(question: PeerQuestion, peer: Peer): Promise<string> {
  if ('facets' in question) return await peer.facets(question.facets, question.fields)
  const { query, limit } = question
  const lines = await peer.query(query, limit ? { limit } : {})
  return /"rows":"(\d+)"/.exec(lines[0] ?? '')?.[1] ?? ''
}

async function timed(times: number[], run: () => Promise<string>): Promise<string> {
  const started = performance.now()
  const answer = await run()
  times.push(performance.now() - started)
  return answer
}

/** Without the first, which warms. */
function medianOf(times: readonly number[]): number | undefined {
  return times.length > 1 ? median(times.slice(1)) : undefined
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
