// A file that the browser reads by itself: of a failure it says nothing, or keeps what tells it.
import { toastFailure } from './toast-failure.ts'

/** `check` fails as the file would, and waits for a sign-in where the session has ended. `name` '':
 *  as the server names it. */
export async function download(
  href: string,
  name: string,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    toastFailure(error)
    return
  }
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
