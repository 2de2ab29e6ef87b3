// Whether a caller may see how the product runs: health in detail and metrics (decision 1.9).
import { isFailure } from '../../schemas/failures.ts'
import { mayDo } from './may-do.ts'
import type { SignIn } from './sign-in.ts'

export type MayOperate = (request: Request, address: string) => Promise<boolean>

/** True for who signs in as an operator or administrator. Fails with sign_in.busy,
 *  database.unavailable. */
export function makeMayOperate(signIn: SignIn): MayOperate {
  return async (request, address) => {
    const parameters = new URL(request.url).searchParams
    const authorization = request.headers.get('authorization')
    const cookie = request.headers.get('cookie')
    try {
      const { signal } = request
      const { user } = await signIn({ parameters, authorization, cookie, address, signal })
      return mayDo(user, 'system.operate')
    } catch (error) {
      // 503: nobody looked at the password.
      if (isFailure(error) && error.entry.status !== 503) return false
      throw error
    }
  }
}
