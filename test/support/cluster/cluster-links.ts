// The connections between the parts of a cluster, each through a door that a campaign can shut,
// slow and break (toxiproxy), and before the brokers and the store one that can lose the answer to
// what was done.
import { AnswerCutter } from '../network/answer-cutter.ts'
import { startToxiproxy, type ToxicLink, type Toxiproxy } from '../network/toxiproxy.ts'

export type ClusterLink = ToxicLink & {
  /** Name of a node, 'edge' or 'senders'. */
  readonly from: string
  /** 'kafka-1', 'postgres', 'store', 'edge' or the name of a node. */
  readonly to: string
  readonly cutter?: AnswerCutter
}

export class ClusterLinks {
  readonly #toxiproxy: Toxiproxy
  readonly #links: ClusterLink[] = []

  private constructor(toxiproxy: Toxiproxy) {
    this.#toxiproxy = toxiproxy
  }

  static async start(): Promise<ClusterLinks> {
    return new ClusterLinks(await startToxiproxy())
  }

  get all(): readonly ClusterLink[] {
    return this.#links
  }

  of(from: string, to: string): ClusterLink {
    const found = this.#links.find((it) => it.from === from && it.to === to)
    if (found === undefined) throw new Error(`there is no link from ${from} to ${to}`)
    return found
  }

  /** Resolves with the port of 127.0.0.1 that stands for `port`. */
  async make(from: string, to: string, port: number, losesAnswers = false): Promise<number> {
    const cutter = losesAnswers ? new AnswerCutter(port) : undefined
    const target = cutter === undefined ? port : await cutter.listen(0)
    const link = await this.#toxiproxy.link(`${from}>${to}`, target)
    this.#links.push({ ...link, from, to, ...(cutter === undefined ? {} : { cutter }) })
    return link.port
  }

  async heal(): Promise<void> {
    for (const { cutter } of this.#links) if (cutter !== undefined) cutter.toLose = 0
    await this.#toxiproxy.healAll()
  }

  async stop(): Promise<void> {
    await this.#toxiproxy.stop()
    await Promise.all(this.#links.map(({ cutter }) => cutter?.close()))
  }
}
