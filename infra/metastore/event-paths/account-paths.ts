// Accounts of the address book: where alerts, reports, archives and copies of events go, and from
// where events are read. By name: what names an account means whichever has the name.

import { BOOK_ACCOUNT_KINDS, isBookAccountKind } from '../../../schemas/address-book.ts'
import { forwardAccount } from '../../../schemas/collection-policy.ts'
import { SETTINGS } from '../../../schemas/settings.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import { type Archive, readArchives } from '../archive/archives.ts'
import { listMonitors } from '../monitors/monitors.ts'
import { readAllPolicies } from '../policies/collection-policies.ts'
import { listReports } from '../reports/reports.ts'
import { readAllSettings } from '../settings/setting-changes.ts'
import { NO_DEFINITION, readLogDefinition } from '../tree/log-definitions.ts'
import type { EventNodes } from './event-nodes.ts'
import { readPolicyConcerns } from './policy-paths.ts'
import type { Concern, PathEntry, ReadPaths } from './port.ts'
import { accountsOfTask, concernsOfTask, listAllTasks } from './task-paths.ts'

export const readAccountPaths: ReadPaths = async (transaction, nodes) => {
  const uses = await readUses(transaction, nodes)
  const rows = await transaction.selectFrom('book_accounts').selectAll().execute()
  return new Map(
    rows.map(({ name, name_folded: folded, kind, ...row }): [string, PathEntry] => {
      const kindName = isBookAccountKind(kind) ? BOOK_ACCOUNT_KINDS[kind] : 'account'
      const mark = JSON.stringify([kind, row.settings, row.secrets, row.is_enabled])
      const concerns = () => uses.flatMap((use) => (use.account === folded ? use.concerns : []))
      return [
        `account ${folded}`,
        { mark, name: `the ${kindName} ${name}`, object: name, concerns },
      ]
    }),
  )
}

type Use = { readonly account: string; readonly concerns: readonly Concern[] }

async function readUses(
  transaction: DatabaseTransaction,
  nodes: EventNodes,
): Promise<readonly Use[]> {
  const ofPolicy = await readPolicyConcerns(transaction, nodes)
  const ofTasks = (await listAllTasks(transaction)).flatMap((task) =>
    accountsOfTask(task).map((account) => ({ account, concerns: concernsOfTask(task) })),
  )
  const ofPolicies = (await readAllPolicies(transaction)).flatMap(({ id, policy }) =>
    [policy.archiveAccount, forwardAccount(policy.forwardTo)].map((account) => ({
      account,
      concerns: ofPolicy(id),
    })),
  )
  const ofMonitors = (await listMonitors(transaction)).flatMap(({ ownerId, settings }) =>
    [...settings.actions, ...settings.escalation.map(({ target }) => target)].map((account) => ({
      account,
      concerns: [{ kind: 'owner', userId: ownerId, orBy: 'system.alerts' } as const],
    })),
  )
  const ofReports = (await listReports(transaction)).flatMap(({ ownerId, settings }) =>
    settings.targets.map((account) => ({
      account,
      concerns: [{ kind: 'owner', userId: ownerId } as const],
    })),
  )
  const uses = [
    ...[...usesOfLogs(nodes), ...ofTasks, ...ofPolicies, ...ofMonitors, ...ofReports],
    ...(await usesOfEvidence(transaction)),
    ...(await usesOfArchives(transaction)),
  ]
  return uses.map(({ account, concerns }) => ({ account: foldName(account), concerns }))
}

function usesOfLogs({ logs }: EventNodes): Use[] {
  return [...logs.values()]
    .filter(({ definition }) => definition !== NO_DEFINITION)
    .map(({ id, definition }) => ({
      account: readLogDefinition(definition).account,
      concerns: [{ kind: 'node', node: { kind: 'log', id }, asks: 'edit' }],
    }))
}

async function usesOfEvidence(transaction: DatabaseTransaction): Promise<Use[]> {
  const targets = (await readAllSettings(transaction))['system.evidenceTargets'] ?? ''
  return SETTINGS['system.evidenceTargets'].read(targets).map((account) => ({
    account,
    concerns: [{ kind: 'operation', operation: 'system.audit' }],
  }))
}

/** Of another product no log is known here. */
async function usesOfArchives(transaction: DatabaseTransaction): Promise<Use[]> {
  return (await readArchives(transaction)).map((archive) => ({
    account: archive.account,
    concerns: concernsOfArchive(archive),
  }))
}

export function concernsOfArchive({
  isForeign,
  logs,
}: Pick<Archive, 'isForeign' | 'logs'>): readonly Concern[] {
  if (isForeign) return [{ kind: 'administrator' }]
  return logs.map(({ id }) => ({ kind: 'node', node: { kind: 'log', id }, asks: 'view' }))
}
