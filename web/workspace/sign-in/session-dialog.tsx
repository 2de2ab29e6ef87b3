import { Dialog } from '../../shared/parts/dialog.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { session } from '../api/session.ts'
import { SignInForm } from './sign-in-form.tsx'
import '../../shared/styles/sign-in.css'

/** The session ended in mid-work: over the page, which waits and keeps everything. */
export function SessionDialog() {
  return (
    <Dialog title={TEXTS.signIn.ended}>
      <p class="soft">{TEXTS.signIn.endedText}</p>
      <SignInForm email={session.value?.person.email ?? ''} />
    </Dialog>
  )
}
