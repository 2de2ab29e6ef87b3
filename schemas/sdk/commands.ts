// The published argument table of the SDK (decision 8.4): the client's check and help, the server's
// check, and the manual docs/reference/sdk.md come from it. A command is a file here, or in a
// folder for its area, and one of the same path in query/sdk/commands/. Every
// argument is text; a schema makes the value. Unknown arguments are refused.
import { z } from 'zod'
import { acceptDamage } from './accept-damage.ts'
import { apiToken } from './access/api-token.ts'
import { ownPassword } from './access/own-password.ts'
import { ownSessions } from './access/own-sessions.ts'
import { secondFactor } from './access/second-factor.ts'
import { addAlertTarget } from './accounts/add-alert-target.ts'
import { addDatabaseAccount } from './accounts/add-database-account.ts'
import { addExternalAccount } from './accounts/add-external-account.ts'
import { addRemoteProductAccount } from './accounts/add-remote-product-account.ts'
import { addSSHAccount } from './accounts/add-ssh-account.ts'
import { addWindowsShareAccount } from './accounts/add-windows-share-account.ts'
import { addListener } from './add-listener.ts'
import { adoptArchive } from './archive/adopt-archive.ts'
import { archive } from './archive/archive.ts'
import { listArchives } from './archive/list-archives.ts'
import { removeArchive } from './archive/remove-archive.ts'
import { thaw } from './archive/thaw.ts'
import { verifyArchive } from './archive/verify-archive.ts'
import type { ArgumentMeta, ClientCommandEntry, CommandEntry } from './argument.ts'
import { addApp } from './dashboards/add-app.ts'
import { addDashboard } from './dashboards/add-dashboard.ts'
import { enableAccount } from './enable-account.ts'
import { exportEvidence } from './evidence/export-evidence.ts'
import { verify } from './evidence/verify.ts'
import { importFile } from './import-file.ts'
import { addPatch } from './lifecycle/add-patch.ts'
import { backup } from './lifecycle/backup.ts'
import { doctor } from './lifecycle/doctor.ts'
import { license } from './lifecycle/license.ts'
import { restart } from './lifecycle/restart.ts'
import { systemState } from './lifecycle/system-state.ts'
import { usage } from './lifecycle/usage.ts'
import { verifyMask } from './masking/verify-mask.ts'
import { addMaintenanceWindow } from './monitors/add-maintenance-window.ts'
import { addMonitor } from './monitors/add-monitor.ts'
import { alerts } from './monitors/alerts.ts'
import { monitors } from './monitors/monitors.ts'
import { testMonitor } from './monitors/test-monitor.ts'
import { apply } from './objects/apply.ts'
import { duplicate } from './objects/duplicate.ts'
import { exportAll } from './objects/export-all.ts'
import { exportObject } from './objects/export-object.ts'
import { importObject } from './objects/import-object.ts'
import { list } from './objects/list.ts'
import { removeObject } from './objects/remove-object.ts'
import { addCollectionPolicy } from './policies/add-collection-policy.ts'
import { removeAccount } from './remove-account.ts'
import { replayRejected } from './replay-rejected.ts'
import { addReport } from './reports/add-report.ts'
import { reports } from './reports/reports.ts'
import { addHold } from './retention/add-hold.ts'
import { deleteData } from './retention/delete-data.ts'
import { diskUsage } from './retention/disk-usage.ts'
import { listDeletions } from './retention/list-deletions.ts'
import { listHolds } from './retention/list-holds.ts'
import { removeHold } from './retention/remove-hold.ts'
import { securityGroups } from './security/security-groups.ts'
import { securityPolicies } from './security/security-policies.ts'
import { securityUsers } from './security/security-users.ts'
import { setPermissions } from './security/set-permissions.ts'
import { settings } from './settings.ts'
import { addExpectedSilence } from './silence/add-expected-silence.ts'
import { removeExpectedSilence } from './silence/remove-expected-silence.ts'
import { silentLogs } from './silence/silent-logs.ts'
import { suggestPattern } from './suggest-pattern.ts'
import { addQueryTask } from './tasks/add-query-task.ts'
import { addScanTask } from './tasks/add-scan-task.ts'
import { addSyncLogTask } from './tasks/add-sync-log-task.ts'
import { executeScanTask } from './tasks/execute-scan-task.ts'
import { executeTask } from './tasks/execute-task.ts'
import { listCollected } from './tasks/list-collected.ts'
import { listTaskRuns } from './tasks/list-task-runs.ts'
import { addTemplate } from './templates/add-template.ts'
import { addAppTag } from './tree/add-app-tag.ts'
import { addFolder } from './tree/add-folder.ts'
import { addLog } from './tree/add-log.ts'
import { removeMember } from './tree/remove-member.ts'
import { verifyPattern } from './verify-pattern.ts'

export const SDK_COMMANDS = {
  acceptDamage,
  addApp,
  addAppTag,
  addCollectionPolicy,
  addDashboard,
  addExternalAccount,
  addFolder,
  addListener,
  addLog,
  backup,
  addPatch,
  addRemoteProductAccount,
  addSSHAccount,
  addWindowsShareAccount,
  addDatabaseAccount,
  doctor,
  usage,
  addExpectedSilence,
  removeExpectedSilence,
  silentLogs,
  addHold,
  removeHold,
  listHolds,
  diskUsage,
  deleteData,
  listDeletions,
  adoptArchive,
  archive,
  listArchives,
  removeArchive,
  thaw,
  verifyArchive,
  apiToken,
  addTemplate,
  enableAccount,
  license,
  apply,
  duplicate,
  exportAll,
  exportEvidence,
  exportObject,
  importObject,
  removeObject,
  list,
  ownPassword,
  ownSessions,
  removeAccount,
  removeMember,
  replayRejected,
  securityGroups,
  securityPolicies,
  secondFactor,
  restart,
  securityUsers,
  setPermissions,
  settings,
  suggestPattern,
  systemState,
  addScanTask,
  addQueryTask,
  addSyncLogTask,
  executeScanTask,
  executeTask,
  listTaskRuns,
  listCollected,
  verify,
  verifyPattern,
  verifyMask,
  addAlertTarget,
  addMaintenanceWindow,
  addMonitor,
  alerts,
  monitors,
  testMonitor,
  addReport,
  reports,
} as const satisfies Record<string, CommandEntry>

export type SdkCommandName = keyof typeof SDK_COMMANDS
export type SdkInput<N extends SdkCommandName> = z.output<(typeof SDK_COMMANDS)[N]['input']>
export type SdkAnswer<N extends SdkCommandName> = z.output<(typeof SDK_COMMANDS)[N]['answer']>

export const SDK_COMMAND_NAMES = Object.keys(SDK_COMMANDS).filter(isSdkCommandName)

export function isSdkCommandName(name: string): name is SdkCommandName {
  return Object.hasOwn(SDK_COMMANDS, name)
}

/** Commands that the client does by itself. */
export const CLIENT_COMMANDS = { import: importFile } as const satisfies Record<
  string,
  ClientCommandEntry
>

export type ClientCommandName = keyof typeof CLIENT_COMMANDS

export const CLIENT_COMMAND_NAMES = Object.keys(CLIENT_COMMANDS).filter(isClientCommandName)

export function isClientCommandName(name: string): name is ClientCommandName {
  return Object.hasOwn(CLIENT_COMMANDS, name)
}

export function publishedEntry(name: SdkCommandName | ClientCommandName): ClientCommandEntry {
  return isClientCommandName(name) ? CLIENT_COMMANDS[name] : SDK_COMMANDS[name]
}

export type PublishedArgument = ArgumentMeta & {
  readonly name: string
  readonly isRequired: boolean
}

/** The arguments of a command in the order of the table. */
export function listArguments(command: SdkCommandName | ClientCommandName): PublishedArgument[] {
  const entry = publishedEntry(command)
  return Object.entries(entry.input.shape).map(([name, schema]) => ({
    name,
    isRequired: !(schema instanceof z.ZodOptional),
    ...argumentMetaSchema.parse(z.globalRegistry.get(schema)),
  }))
}

/** What is wrong with the value of one argument by itself; undefined: nothing, or there is no such
 *  argument. */
export function argumentFault(
  command: SdkCommandName,
  name: string,
  value: string,
): string | undefined {
  const schemas: Readonly<Record<string, z.ZodType>> = SDK_COMMANDS[command].input.shape
  return schemas[name]?.safeParse(value).error?.issues[0]?.message
}

const argumentMetaSchema = z.object({
  description: z.string(),
  hint: z.string(),
  isFlag: z.boolean().optional(),
  isFile: z.boolean().optional(),
  maxFileBytes: z.number().optional(),
  isSecret: z.boolean().optional(),
})

export type SdkFault = { readonly argument: string; readonly reason: string }

/** The first fault of the input as a person reads it. */
export function describeFault(given: object, error: z.ZodError): SdkFault {
  const issue = error.issues[0]
  if (issue?.code === 'unrecognized_keys')
    return { argument: issue.keys[0] ?? '', reason: 'is not an argument of this command' }
  const argument = String(issue?.path[0] ?? '')
  const isMissing = issue?.code !== 'custom' && !Object.hasOwn(given, argument)
  return { argument, reason: isMissing ? 'is missing' : (issue?.message ?? 'is not accepted') }
}
