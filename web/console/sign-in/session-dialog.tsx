import type { SignInWays } from '../../../schemas/public-calls/session.ts'
import { session } from '../../shared/api/session.ts'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { SignInForm } from './sign-in-form.tsx'
import '../../shared/styles/sign-in.css'

/** The session ended in mid-work: over the page, which waits and keeps everything. */
export function SessionDialog({ ways }: { readonly ways: SignInWays | undefined }) {
  return (
    <Dialog title={TEXTS.signIn.ended}>
      <p class="soft">{TEXTS.signIn.endedText}</p>
      <SignInForm user={session.value?.user ?? ''} />
      {ways?.hasProvider && (
        // In a tab of its own: this page keeps what was typed, and goes on when it is seen again.
        <a
          class="button button-bordered"
          href="/logeye/session/oidc"
          target="_blank"
          rel="noopener"
        >
          {TEXTS.signIn.provider}
        </a>
      )}
    </Dialog>
  )
}
