// The commands that this server knows, each in a file of query/sdk/commands/.
import type { SdkCommandName } from '../../../schemas/sdk/commands.ts'
import { acceptDamage } from '../commands/accept-damage.ts'
import { apiToken } from '../commands/access/api-token.ts'
import { ownPassword } from '../commands/access/own-password.ts'
import { ownSessions } from '../commands/access/own-sessions.ts'
import { secondFactor } from '../commands/access/second-factor.ts'
import { addAlertTarget } from '../commands/accounts/add-alert-target.ts'
import { addDatabaseAccount } from '../commands/accounts/add-database-account.ts'
import { addExternalAccount } from '../commands/accounts/add-external-account.ts'
import { addRemoteProductAccount } from '../commands/accounts/add-remote-product-account.ts'
import { addSSHAccount } from '../commands/accounts/add-ssh-account.ts'
import { addWindowsShareAccount } from '../commands/accounts/add-windows-share-account.ts'
import { addListener } from '../commands/add-listener.ts'
import { adoptArchive } from '../commands/archive/adopt-archive.ts'
import { archive } from '../commands/archive/archive.ts'
import { listArchives } from '../commands/archive/list-archives.ts'
import { removeArchive } from '../commands/archive/remove-archive.ts'
import { thaw } from '../commands/archive/thaw.ts'
import { verifyArchive } from '../commands/archive/verify-archive.ts'
import { addApp } from '../commands/dashboards/add-app.ts'
import { addDashboard } from '../commands/dashboards/add-dashboard.ts'
import { enableAccount } from '../commands/enable-account.ts'
import { exportEvidence } from '../commands/evidence/export-evidence.ts'
import { verify } from '../commands/evidence/verify.ts'
import { addPatch } from '../commands/lifecycle/add-patch.ts'
import { backup } from '../commands/lifecycle/backup.ts'
import { doctor } from '../commands/lifecycle/doctor.ts'
import { license } from '../commands/lifecycle/license.ts'
import { restart } from '../commands/lifecycle/restart.ts'
import { systemState } from '../commands/lifecycle/system-state.ts'
import { usage } from '../commands/lifecycle/usage.ts'
import { verifyMask } from '../commands/masking/verify-mask.ts'
import { addMaintenanceWindow } from '../commands/monitors/add-maintenance-window.ts'
import { addMonitor } from '../commands/monitors/add-monitor.ts'
import { alerts } from '../commands/monitors/alerts.ts'
import { monitors } from '../commands/monitors/monitors.ts'
import { testMonitor } from '../commands/monitors/test-monitor.ts'
import { apply } from '../commands/objects/apply.ts'
import { duplicate } from '../commands/objects/duplicate.ts'
import { exportAll } from '../commands/objects/export-all.ts'
import { exportObject } from '../commands/objects/export-object.ts'
import { importObject } from '../commands/objects/import-object.ts'
import { list } from '../commands/objects/list.ts'
import { removeObject } from '../commands/objects/remove-object.ts'
import { addCollectionPolicy } from '../commands/policies/add-collection-policy.ts'
import { removeAccount } from '../commands/remove-account.ts'
import { replayRejected } from '../commands/replay-rejected.ts'
import { addReport } from '../commands/reports/add-report.ts'
import { reports } from '../commands/reports/reports.ts'
import { addHold } from '../commands/retention/add-hold.ts'
import { deleteData } from '../commands/retention/delete-data.ts'
import { diskUsage } from '../commands/retention/disk-usage.ts'
import { listDeletions } from '../commands/retention/list-deletions.ts'
import { listHolds } from '../commands/retention/list-holds.ts'
import { removeHold } from '../commands/retention/remove-hold.ts'
import { securityGroups } from '../commands/security/security-groups.ts'
import { securityPolicies } from '../commands/security/security-policies.ts'
import { securityUsers } from '../commands/security/security-users.ts'
import { setPermissions } from '../commands/security/set-permissions.ts'
import { settings } from '../commands/settings.ts'
import { addExpectedSilence } from '../commands/silence/add-expected-silence.ts'
import { removeExpectedSilence } from '../commands/silence/remove-expected-silence.ts'
import { silentLogs } from '../commands/silence/silent-logs.ts'
import { suggestPattern } from '../commands/suggest-pattern.ts'
import { addQueryTask } from '../commands/tasks/add-query-task.ts'
import { addScanTask } from '../commands/tasks/add-scan-task.ts'
import { addSyncLogTask } from '../commands/tasks/add-sync-log-task.ts'
import { executeScanTask } from '../commands/tasks/execute-scan-task.ts'
import { executeTask } from '../commands/tasks/execute-task.ts'
import { listCollected } from '../commands/tasks/list-collected.ts'
import { listTaskRuns } from '../commands/tasks/list-task-runs.ts'
import { addTemplate } from '../commands/templates/add-template.ts'
import { addAppTag } from '../commands/tree/add-app-tag.ts'
import { addFolder } from '../commands/tree/add-folder.ts'
import { addLog } from '../commands/tree/add-log.ts'
import { removeMember } from '../commands/tree/remove-member.ts'
import { verifyPattern } from '../commands/verify-pattern.ts'
import type { ServedCommand } from './serve-command.ts'

export const COMMANDS: { readonly [N in SdkCommandName]: ServedCommand<N> } = {
  acceptDamage,
  addApp,
  addAlertTarget,
  addMaintenanceWindow,
  addMonitor,
  alerts,
  monitors,
  testMonitor,
  addReport,
  reports,
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
}
