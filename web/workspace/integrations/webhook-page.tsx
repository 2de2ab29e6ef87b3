import { useState } from 'preact/hooks'
import { go } from '../../shared/address.ts'
import { useAsked } from '../../shared/asked.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import type { Webhook } from '../api/types.ts'
import { SecretDialog, SureDialog } from '../parts/dialogs.tsx'
import { FormError } from '../parts/form-error.tsx'
import { Page } from '../parts/page.tsx'
import { printTime } from '../parts/print.ts'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookMessages } from './webhook-messages.tsx'
import { WebhookState } from './webhook-state.tsx'

const T = WORKSPACE.webhooks

/** One webhook, and what was sent to it. */
export function WebhookPage({ id }: { readonly id: string }) {
  const path = `/webhooks/${id}`
  const asked = useAsked(path, (signal) => ask<Webhook>(path, { signal }))
  const [turn, setTurn] = useState(0)
  const [dialog, setDialog] = useState<'change' | 'rotate' | 'remove'>()
  const [secret, setSecret] = useState<string>()
  const act = useAct(asked.again)
  const webhook = asked.answer
  const close = () => setDialog(undefined)
  const isAdmin = hasRole('customer_admin')
  return (
    <Page
      title={webhook?.url ?? T.one}
      back={{ path: PATHS.webhooks, name: WORKSPACE.pages.webhooks }}
      {...(webhook === undefined ? {} : { mark: <WebhookState webhook={webhook} /> })}
      acts={
        isAdmin &&
        webhook !== undefined && (
          <>
            <Button
              look="main"
              disabled={act.isBusy || !webhook.isEnabled}
              onClick={() =>
                act.run(async () => {
                  await ask(`${path}/test`, { method: 'POST' })
                  toast(T.tested)
                  setTurn(turn + 1)
                })
              }
            >
              {T.test}
            </Button>
            <Button onClick={() => setDialog('change')}>{T.change}</Button>
            <Button onClick={() => setDialog('rotate')}>{T.rotate}</Button>
            <Button
              disabled={act.isBusy}
              onClick={() =>
                act.run(async () => {
                  const body = { isEnabled: !webhook.isEnabled }
                  await ask(path, { method: 'PATCH', body })
                })
              }
            >
              {webhook.isEnabled ? T.disable : T.enable}
            </Button>
            <Button onClick={() => setDialog('remove')}>{T.remove}</Button>
          </>
        )
      }
    >
      <FormError error={act.error} />
      <AskedPart asked={asked}>
        {(told) => (
          <section class="card">
            <dl class="facts">
              {told.description !== '' && (
                <>
                  <dt>{T.description}</dt>
                  <dd>{told.description}</dd>
                </>
              )}
              <dt>{T.events}</dt>
              <dd>{told.events.join(', ')}</dd>
              <dt>{T.delivered}</dt>
              <dd>{told.lastDeliveredAt === null ? T.never : printTime(told.lastDeliveredAt)}</dd>
              {told.oldSecretsEndAt !== null && (
                <>
                  <dt>{T.oldSecrets}</dt>
                  <dd>{printTime(told.oldSecretsEndAt)}</dd>
                </>
              )}
              {told.disabledAt !== null && (
                <>
                  <dt>{T.disabledAt}</dt>
                  <dd>{printTime(told.disabledAt)}</dd>
                </>
              )}
            </dl>
          </section>
        )}
      </AskedPart>
      <WebhookMessages key={turn} id={id} canReplay={isAdmin} />
      {dialog === 'change' && webhook !== undefined && (
        <WebhookDialog
          webhook={webhook}
          onClose={close}
          onDone={() => {
            close()
            asked.again()
          }}
        />
      )}
      {dialog === 'rotate' && (
        <SureDialog
          title={T.rotateTitle}
          act={T.rotate}
          onClose={close}
          work={async () => {
            setSecret((await ask<{ secret: string }>(`${path}/secret`, { body: {} })).secret)
            asked.again()
          }}
        >
          <p>{T.rotateText}</p>
        </SureDialog>
      )}
      {dialog === 'remove' && (
        <SureDialog
          title={T.removeTitle}
          act={T.remove}
          onClose={close}
          work={async () => {
            await ask(path, { method: 'DELETE' })
            go(PATHS.webhooks)
          }}
        >
          <p>{T.removeText}</p>
        </SureDialog>
      )}
      {secret !== undefined && (
        <SecretDialog title={T.secret} secret={secret} onClose={() => setSecret(undefined)}>
          <p class="soft">{T.secretHelp}</p>
        </SecretDialog>
      )}
    </Page>
  )
}
