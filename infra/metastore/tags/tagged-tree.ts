// The tree with the tags that each log has: those that it was given by name, and those whose
// members it is by hand or by a source query. What is asked of a log is remembered for as long as
// log and tags stay as they are, so that a new log costs one log.
import type { NamedAppTag } from '../../../schemas/app-tag.ts'
import { logPathKey } from '../../../schemas/names/log-path.ts'
import type { LogRecord, Tree } from '../tree/port.ts'
import { orderTags } from './order-tags.ts'
import type { ReadSourceQuery, SourceQuery } from './source-query.ts'

type Rule = {
  readonly name: string
  readonly query: SourceQuery | undefined
  readonly folders: ReadonlySet<number>
  readonly logs: ReadonlySet<number>
  readonly accounts: ReadonlySet<number>
}

export class TaggedTree {
  #readQuery: ReadSourceQuery = () => undefined
  #tags: readonly NamedAppTag[] = []
  #rules: readonly Rule[] = []
  #tagged = new WeakMap<LogRecord, LogRecord>()
  #last: { readonly from: Tree; readonly tree: Tree } | undefined

  readQueriesBy(readQuery: ReadSourceQuery): void {
    this.#readQuery = readQuery
    this.#use(this.#tags)
  }

  /** The same object until tree or tags change. */
  tree(from: Tree, tags: readonly NamedAppTag[]): Tree {
    if (tags !== this.#tags) this.#use(tags)
    if (this.#rules.length === 0) return from
    if (this.#last?.from !== from) this.#last = { from, tree: this.#tag(from) }
    return this.#last.tree
  }

  #use(tags: readonly NamedAppTag[]): void {
    this.#tags = tags
    this.#rules = makeRules(tags, this.#readQuery)
    this.#tagged = new WeakMap()
    this.#last = undefined
  }

  #tag(from: Tree): Tree {
    const ofFolder = new Map<number, ReadonlySet<Rule>>()
    const logs = new Map(from.logs)
    const logsByPath = new Map(from.logsByPath)
    for (const log of from.logs.values()) {
      const tagged = this.#tagged.get(log) ?? this.#tagLog(log, from, ofFolder)
      this.#tagged.set(log, tagged)
      if (tagged === log) continue
      logs.set(log.id, tagged)
      logsByPath.set(logPathKey(log.folder, log.name), tagged)
    }
    return { ...from, logs, logsByPath }
  }

  #tagLog(log: LogRecord, tree: Tree, ofFolder: Map<number, ReadonlySet<Rule>>): LogRecord {
    const appTags = [...log.appTags]
    // A query may ask for the tags that the log has by now.
    const seen = { ...log, appTags }
    const byFolder = this.#rulesOfFolder(log.folderId, tree, ofFolder)
    for (const rule of this.#rules) {
      if (appTags.includes(rule.name)) continue
      const isMember =
        byFolder.has(rule) ||
        rule.logs.has(log.id) ||
        (log.accountId !== null && rule.accounts.has(log.accountId)) ||
        rule.query?.selects(seen) === true
      if (isMember) appTags.push(rule.name)
    }
    return appTags.length === log.appTags.length ? log : seen
  }

  /** Of the folder and all above it. */
  #rulesOfFolder(
    id: number | null,
    tree: Tree,
    known: Map<number, ReadonlySet<Rule>>,
  ): ReadonlySet<Rule> {
    const key = id ?? ROOT
    const found = known.get(key)
    if (found !== undefined) return found
    const above =
      key === ROOT
        ? new Set<Rule>()
        : this.#rulesOfFolder(tree.folders.get(key)?.parentId ?? null, tree, known)
    const own = this.#rules.filter(({ folders }) => folders.has(key))
    const all = own.length === 0 ? above : new Set([...above, ...own])
    known.set(key, all)
    return all
  }
}

const ROOT = 0

function makeRules(tags: readonly NamedAppTag[], readQuery: ReadSourceQuery): Rule[] {
  const rules = tags.map(
    ({ name, tag }): Rule => ({
      name,
      query: tag.sourceQuery === '' ? undefined : readQuery(tag.sourceQuery),
      folders: new Set(tag.folders),
      logs: new Set(tag.logs),
      accounts: new Set(tag.accounts),
    }),
  )
  // A circle was refused when it was made; one in a damaged database ends here, too.
  const { tags: ordered } = orderTags(
    rules,
    (rule, other) => rule.query?.namesTag(other.name) === true,
  )
  return ordered.filter(
    ({ query, folders, logs, accounts }) =>
      query !== undefined || folders.size + logs.size + accounts.size > 0,
  )
}
