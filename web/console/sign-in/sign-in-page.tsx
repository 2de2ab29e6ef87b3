import type { SignInWays } from '../../../schemas/public-calls/session.ts'
import { TEXTS } from '../../shared/texts.ts'
import { SignInForm } from './sign-in-form.tsx'
import '../../shared/styles/sign-in.css'

/** Stands at the address that was asked for, so that signing in leads there. */
export function SignInPage({ ways }: { readonly ways: SignInWays | undefined }) {
  return (
    <main class="sign-in">
      <section class="sign-in-card">
        <h1 class="sign-in-name">{TEXTS.product}</h1>
        <SignInForm />
        {ways?.hasProvider && (
          <a class="button button-bordered" href="/logeye/session/oidc">
            {TEXTS.signIn.provider}
          </a>
        )}
      </section>
      {ways !== undefined && <p class="soft">{ways.version}</p>}
    </main>
  )
}
