// What another user sees (/logeye/api/user-view).
import type { UserView } from '../../../schemas/public-calls/user-view.ts'
import { call } from './call.ts'

export const readUserView = (user: string, signal: AbortSignal): Promise<UserView> =>
  call(`/logeye/api/user-view?${new URLSearchParams({ user })}`, { signal })
