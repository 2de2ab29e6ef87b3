// addListener: makes a listener account, or with -update changes one.
import type { DatabaseTransaction } from '../../../infra/database/port.ts'
import {
  addAccount,
  changeAccount,
  type ListenerAccountChange,
  resetAccountToken,
} from '../../../infra/metastore/accounts/listener-accounts.ts'
import { requireListeningNode } from '../../../infra/metastore/accounts/listening-nodes.ts'
import {
  type KeptPolicy,
  requirePolicy,
} from '../../../infra/metastore/policies/collection-policies.ts'
import { requireTemplate } from '../../../infra/metastore/templates/require-template.ts'
import { ensureAppTags } from '../../../infra/metastore/tree/named-objects.ts'
import { notesOnPolicy } from '../../../schemas/collection-policy.ts'
import { Failure } from '../../../schemas/failures.ts'
import { addListener as published } from '../../../schemas/sdk/add-listener.ts'
import type { SdkInput } from '../../../schemas/sdk/commands.ts'
import { describeAccount } from '../server/describe-account.ts'
import { requireEventFilter, requirePatterns } from '../server/pattern-tools.ts'
import { serveCommand } from '../server/serve-command.ts'

const HOUR_MS = 3_600_000

export const addListener = serveCommand(
  published,
  (input, { clock, patterns }) => {
    requirePatterns(patterns, 'pattern', input.pattern ?? [], clock.nowMs())
    requireDropFilter(input.dropFilter ?? '')
    return async (transaction) => {
      const { collectionPolicy: named } = input
      const policy = named === undefined ? undefined : await requirePolicy(transaction, named)
      const change = await readChange(transaction, input, policy, clock.nowMs())
      const noEffect = notesOnPolicy(policy)
      const notes = noEffect.length === 0 ? {} : { notes: noEffect }
      if (input.update === true) {
        const account = await changeAccount(transaction, clock, input.name, change)
        const overlapMs = (input.oldTokenHours ?? 0) * HOUR_MS
        const renewed = input.newToken
          ? { token: await resetAccountToken(transaction, clock, input.name, overlapMs) }
          : {}
        return { ...describeAccount(account), ...renewed, ...notes }
      }
      const { account, token } = await addAccount(transaction, clock, input.name, change)
      return { ...describeAccount(account), token, ...notes }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** Fails with sdk.argument. */
function requireDropFilter(text: string): void {
  requireEventFilter('dropFilter', text, ['message', 'host', 'source'])
  if (/^[\s()*]+$/.test(text))
    throw new Failure('sdk.argument', {
      argument: 'dropFilter',
      reason: 'selects everything: disable the account instead',
    })
}

/** Only what was given. */
async function readChange(
  transaction: DatabaseTransaction,
  input: SdkInput<'addListener'>,
  policy: KeptPolicy | undefined,
  nowMs: number,
): Promise<ListenerAccountChange> {
  const { appTags, timeKey, listeningNode } = input
  return {
    isEnabled: input.enabled,
    description: input.description,
    parentFolder: input.parentFolder,
    policyId: policy?.id,
    appTags: appTags === undefined ? undefined : await ensureAppTags(transaction, appTags),
    logNamePrefix: input.logNamePrefix,
    sourceSplit: input.splitBySource,
    maskBitsV4: input.ipMask,
    maskBitsV6: input.ipMaskV6,
    messageKeys: input.messageKeys,
    splitColumns: input.splitColumns,
    timeKey: timeKey === '' ? null : timeKey,
    timeZone: input.timeZone,
    jsonParsingLevel: input.jsonParsingLevel,
    template:
      input.template === undefined ? undefined : await requireTemplate(transaction, input.template),
    patterns: input.pattern,
    maskRules: input.maskRules,
    dropFilter: input.dropFilter,
    sampledPercent: input.sampledPercent,
    allowedAddresses: input.allowedAddresses,
    maxEventsPerSecond: input.maxEventsPerSecond,
    maxBytesPerSecond: input.maxBytesPerSecond,
    maxBytesPerDay: input.maxBytesPerDay,
    listeningNode:
      typeof listeningNode === 'string'
        ? await requireListeningNode(transaction, listeningNode, nowMs)
        : listeningNode,
  }
}
