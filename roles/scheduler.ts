// The role `scheduler`: what is done now and then, by one process of all on the database.
import { startUpkeep } from '../infra/metastore/upkeep.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import type { Engines } from './engines.ts'

export function openSchedulerRole(context: RoleContext, { metastore }: Engines): void {
  startUpkeep(context, metastore)
}
