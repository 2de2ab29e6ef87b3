// How many sessions are open to each machine, over all that connect (product facts 5).
import { RemoteFault } from './remote-fault.ts'

const MOST_SESSIONS = 7

export class HostSessions {
  readonly #open = new Map<string, number>()

  /** Gives the session back when it is called. Fails with RemoteFault. */
  take(host: string): () => void {
    const count = this.#open.get(host) ?? 0
    if (count >= MOST_SESSIONS)
      throw new RemoteFault(
        `${host}: ${MOST_SESSIONS} sessions are open already: use fewer accounts for this machine`,
      )
    this.#open.set(host, count + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#open.set(host, (this.#open.get(host) ?? 1) - 1)
    }
  }
}
