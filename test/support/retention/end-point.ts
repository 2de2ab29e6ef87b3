// A job that ends for good at a chosen call of its database or its store, as by a kill.
import type { Database } from '../../../infra/database/port.ts'
import type { Store } from '../../../infra/store/port.ts'

/** Counted over the run; the process ends for good there. */
export type EndPoint = {
  readonly call: 'write' | 'command'
  readonly when: 'before' | 'after'
  readonly nth: number
}

export class Ended extends Error {}

/** From the point on nothing more is done: every call fails with Ended. */
export function endingAt(end: EndPoint | undefined) {
  let calls = 0
  let isOver = false
  const pass = async <Result>(call: string, run: () => Promise<Result>): Promise<Result> => {
    if (isOver) throw new Ended()
    if (end?.call === call) calls += 1
    const isHere = end?.call === call && calls === end.nth
    if (isHere && end.when === 'before') isOver = true
    if (isOver) throw new Ended()
    const result = await run()
    if (isHere) isOver = true
    if (isOver) throw new Ended()
    return result
  }
  return {
    database: (real: Database): Database => ({
      read: real.read,
      snapshot: (work) => real.snapshot(work),
      close: () => real.close(),
      write: (work) => pass('write', () => real.write(work)),
    }),
    store: (real: Store): Store =>
      new Proxy(real, {
        get(target, name) {
          if (name === 'command')
            return (query: Parameters<Store['command']>[0]) =>
              pass('command', () => real.command(query))
          const value = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
  }
}
