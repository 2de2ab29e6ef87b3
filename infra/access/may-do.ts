// The one question of rights to an operation.
import type { Operation, UserRecord } from '../../schemas/users.ts'

export function mayDo(user: UserRecord, operation: Operation): boolean {
  return user.isAdministrator || user.operations.has(operation)
}
