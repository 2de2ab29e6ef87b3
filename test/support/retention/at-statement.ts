// Something that somebody else does in the middle of a job: right before its nth statement of a
// form.
import type { JobContext } from '../../../infra/scheduler/job.ts'
import type { Store } from '../../../infra/store/port.ts'

const NAMES: ReadonlySet<string | symbol> = new Set(['query', 'command', 'readPacked'])

export function atStatement(
  context: JobContext,
  form: RegExp,
  act: () => Promise<unknown>,
  nth = 1,
): JobContext & { readonly hasActed: () => boolean } {
  let seen = 0
  let hasActed = false
  const actOnce = async (sql: string) => {
    if (!form.test(sql)) return
    seen += 1
    if (seen !== nth) return
    hasActed = true
    await act()
  }
  const { store } = context
  async function* readPacked(query: Parameters<Store['readPacked']>[0]) {
    await actOnce(query.sql)
    yield* store.readPacked(query)
  }
  const hooked: Store = new Proxy(store, {
    get(target, name) {
      if (name === 'readPacked') return readPacked
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!NAMES.has(name)) return value.bind(target)
      return async (query: { readonly sql: string }) => {
        await actOnce(query.sql)
        return await value.call(target, query)
      }
    },
  })
  return { ...context, store: hooked, hasActed: () => hasActed }
}
