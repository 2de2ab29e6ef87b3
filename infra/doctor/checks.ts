// The checks of `doctor`, in the order in which an operator reads them.
import type { Check } from './check.ts'
import { checkClock } from './clock-check.ts'
import { checkDiskSpace, checkDiskSpeed, checkPermissions } from './disk.ts'
import { checkCertificate, checkPorts, checkPublicUrl } from './doors.ts'
import {
  checkDatabase,
  checkEventLog,
  checkPortal,
  checkSecurity,
  checkStoreLedger,
} from './kept.ts'
import { checkHttpEngine, checkMemory, checkNode, checkOpenFiles } from './machine.ts'
import {
  checkBacklog,
  checkGuard,
  checkJobs,
  checkParts,
  checkRejected,
  checkTemplates,
  checkTokens,
  checkWriter,
} from './running.ts'

export const CHECKS: readonly Check[] = [
  { name: 'ports', run: checkPorts },
  { name: 'parts', run: checkParts },
  { name: 'disk', run: checkDiskSpace },
  { name: 'disk speed', run: checkDiskSpeed },
  { name: 'permissions', run: checkPermissions },
  { name: 'clock', run: checkClock },
  { name: 'memory', run: checkMemory },
  { name: 'open files', run: checkOpenFiles },
  { name: 'node', run: checkNode },
  { name: 'http engine', run: checkHttpEngine },
  { name: 'certificate', run: checkCertificate },
  { name: 'public url', run: checkPublicUrl },
  { name: 'store', run: checkStoreLedger },
  { name: 'database', run: checkDatabase, isHeavy: true },
  { name: 'event log', run: checkEventLog },
  { name: 'backlog', run: checkBacklog },
  { name: 'writer', run: checkWriter },
  { name: 'guard', run: checkGuard },
  { name: 'rejected', run: checkRejected },
  { name: 'templates', run: checkTemplates },
  { name: 'tokens', run: checkTokens },
  { name: 'jobs', run: checkJobs },
  { name: 'security', run: checkSecurity },
  { name: 'portal', run: checkPortal },
]

/** For a process that has others to serve. */
export const CHECKS_BESIDE_WORK: readonly Check[] = CHECKS.filter(({ isHeavy }) => !isHeavy)
