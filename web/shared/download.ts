// A file that the browser reads by itself: of a failure it says nothing, or keeps what tells it.
import { toast } from './parts/toast.tsx'
import { describeError } from './use-act.ts'

const FAILURE_MS = 8000

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
    toast(describeError(error), FAILURE_MS)
    return
  }
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
