// verifyMask: what rules would hide in events that are stored. Whoever is shown examples must see
// the values anyway: of logs that the caller may view, and nothing from those from whom a policy
// hides values.
import { listAccounts } from '../../../../infra/metastore/accounts/listener-accounts.ts'
import { Failure } from '../../../../schemas/failures.ts'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { verifyMask as published } from '../../../../schemas/sdk/masking/verify-mask.ts'
import { WHOLE } from '../../../language/compile/plan/event-result.ts'
import { rawOf } from '../../../search/print/event-cells.ts'
import { readEventRow } from '../../../search/print/event-row-reader.ts'
import { type CommandTools, serveCommand } from '../../server/serve-command.ts'

type Answer = SdkAnswer<'verifyMask'>

const DAY_MS = 86_400_000
const TIMEOUT_MS = 60_000
const DEFAULT_EVENTS = 1000
const MAX_EXAMPLES = 5
const BEFORE_CHARACTERS = 40
const MAX_CHARACTERS = 240

export const verifyMask = serveCommand(published, async (input, tools) => {
  if (tools.caller.user.masks.length > 0) throw new Failure('rights.missing')
  const { limit = DEFAULT_EVENTS } = input
  const nowMs = tools.clock.nowMs()
  const { from = nowMs - DAY_MS, to = nowMs } = input
  const account = (await tools.database.snapshot(listAccounts)).find(
    ({ name }) => name.toLowerCase() === input.listener.toLowerCase(),
  )
  if (account === undefined)
    throw new Failure('object.not_found', { kind: 'account', name: input.listener })
  const texts = input.maskRules ?? account.maskRules ?? []
  const rows = await readRows({ account: account.name, from, to, limit }, tools)
  const { logs } = await tools.objects.viewer()
  const rules = texts.map((rule) => ({ rule, values: 0 }))
  const answer: Answer = { events: 0, masked: 0, rules, examples: [] }
  for (const values of rows) {
    const row = readEventRow(values)
    if (logs !== 'all' && !logs.has(row.logId)) continue
    answer.events += 1
    const before = rawOf(row)
    const { after, counts } = tools.tryMask(texts, before, account)
    for (const [i, count] of counts.entries()) {
      const rule = rules[i]
      if (rule !== undefined) rule.values += count
    }
    if (after === undefined) continue
    answer.masked += 1
    if (answer.examples.length < MAX_EXAMPLES)
      answer.examples.push({ log: String(row.logId), ...cutAround(before, after) })
  }
  return async (transaction) => {
    const ids = answer.examples.map(({ log }) => Number(log))
    const names =
      ids.length === 0
        ? []
        : await transaction
            .selectFrom('logs')
            .select(['id', 'name'])
            .where('id', 'in', ids)
            .execute()
    const nameOf = new Map(names.map(({ id, name }) => [String(id), name]))
    const examples = answer.examples.map((it) => ({ ...it, log: nameOf.get(it.log) ?? '' }))
    return { ...answer, examples }
  }
})

async function readRows(
  wanted: { account: string; from: number; to: number; limit: number },
  { store }: Pick<CommandTools, 'store'>,
): Promise<readonly unknown[][]> {
  const rows = await store.query<Record<string, unknown>>({
    sql: `SELECT ${WHOLE.join(', ')} FROM events WHERE source = {account: String}
      AND received >= fromUnixTimestamp64Milli({from: Int64}) AND received < fromUnixTimestamp64Milli({to: Int64})
      ORDER BY received DESC LIMIT {limit: UInt32}`,
    params: {
      account: wanted.account,
      from: String(wanted.from),
      to: String(wanted.to),
      limit: wanted.limit,
    },
    timeoutMs: TIMEOUT_MS,
  })
  return rows.map((row) => Object.values(row))
}

/** Where the two begin to differ. */
function cutAround(before: string, after: string): { before: string; after: string } {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  const start = Math.max(0, at - BEFORE_CHARACTERS)
  const cut = (text: string) => text.slice(start, start + MAX_CHARACTERS)
  return { before: cut(before), after: cut(after) }
}
