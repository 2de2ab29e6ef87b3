import { useState } from 'preact/hooks'
import type { OfferTold } from '../../../schemas/portal/offers.ts'
import { address, changeParameters } from '../../shared/address.ts'
import { useAsked } from '../../shared/asked.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { downloadFile } from '../api/download-file.ts'
import { hasRole, isSeller } from '../api/session.ts'
import { SureDialog } from '../parts/dialogs.tsx'
import { FormError } from '../parts/form-error.tsx'
import { Page } from '../parts/page.tsx'
import { printBytes, printMoney, printTime } from '../parts/print.ts'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { Attachments } from './attachments.tsx'
import { contentOf, draftOf, planOf } from './draft.ts'
import { OfferBuilder } from './offer-builder.tsx'
import { OfferState } from './offer-state.tsx'
import { QuoteTable } from './quote-table.tsx'

const T = WORKSPACE.offers

type Decision = 'send' | 'accept' | 'reject'

/** One offer: its price, what can be done with it, its files. */
export function OfferPage({ id }: { readonly id: string }) {
  const path = `/offers/${id}`
  const asked = useAsked(path, (signal) => ask<OfferTold>(path, { signal }))
  const [decision, setDecision] = useState<Decision>()
  const [reason, setReason] = useState('')
  const act = useAct(() => undefined)
  const offer = asked.answer
  const isEditing = address.value.parameters.get('edit') === '1' && offer?.state === 'draft'
  const can: Readonly<Record<Decision, boolean>> = {
    send: offer?.state === 'draft' && isSeller(),
    accept: offer?.state === 'sent' && hasRole('customer_admin'),
    reject: offer?.state === 'sent' && (hasRole('customer_admin') || isSeller()),
  }
  return (
    <Page
      title={offer?.title ?? T.one}
      back={{ path: PATHS.offers, name: WORKSPACE.pages.offers }}
      {...(offer === undefined ? {} : { mark: <OfferState state={offer.state} /> })}
      acts={
        offer !== undefined &&
        !isEditing && (
          <>
            <Button
              disabled={act.isBusy}
              onClick={() => act.run(() => downloadFile(`${path}/pdf`, `${offer.title}.pdf`))}
            >
              {T.pdf}
            </Button>
            {can.reject && <Button onClick={() => setDecision('reject')}>{T.reject}</Button>}
            {offer.state === 'draft' && isSeller() && (
              <Button onClick={() => changeParameters({ edit: '1' })}>{T.edit}</Button>
            )}
            {can.send && (
              <Button
                look="main"
                disabled={isUndecided(offer) || lacksApproval(offer)}
                onClick={() => setDecision('send')}
              >
                {T.send}
              </Button>
            )}
            {can.accept && (
              <Button look="main" onClick={() => setDecision('accept')}>
                {T.accept}
              </Button>
            )}
          </>
        )
      }
    >
      <FormError error={act.error} />
      <AskedPart asked={asked}>
        {(told) =>
          isEditing ? (
            <EditOffer offer={told} onDone={asked.again} />
          ) : (
            <>
              <OfferFacts offer={told} />
              <QuoteTable quote={told.quote} />
              <Attachments
                offerId={id}
                canChange={
                  (isSeller() || hasRole('customer_admin')) &&
                  (told.state === 'draft' || told.state === 'sent')
                }
              />
            </>
          )
        }
      </AskedPart>
      {decision !== undefined && offer !== undefined && (
        <SureDialog
          title={T.sure[decision].title}
          act={T[decision]}
          look={decision === 'reject' ? 'danger' : 'main'}
          onClose={() => setDecision(undefined)}
          work={async () => {
            const body = decision === 'reject' && reason.trim() !== '' ? { reason } : undefined
            await ask(`${path}/${decision}`, { method: 'POST', ...(body && { body }) })
            toast(T.sure[decision].done)
            asked.again()
          }}
        >
          <p>{T.sure[decision].text(printMoney(offer.quote.totals.due, offer.quote.currency))}</p>
          {decision === 'accept' && offer.effects.map((effect) => <p key={effect}>{effect}</p>)}
          {decision === 'reject' && (
            <Field
              label={T.rejectionReason}
              help={T.rejectionHelp}
              name="reason"
              value={reason}
              onInput={setReason}
            />
          )}
        </SureDialog>
      )}
    </Page>
  )
}

/** Nobody has said yet what it does to the licence. */
function isUndecided({ plan, license }: OfferTold): boolean {
  return plan === null && license === null
}

/** The user may not send it: an operator has to approve what it gives. */
function lacksApproval({ approval }: OfferTold): boolean {
  return approval === null && !hasRole('operator')
}

function OfferFacts({ offer }: { readonly offer: OfferTold }) {
  const { plan, credit, quote } = offer
  return (
    <section class="card">
      <dl class="facts">
        <dt>{T.due}</dt>
        <dd class="strong">{printMoney(quote.totals.due, quote.currency)}</dd>
        <dt>{T.validUntil}</dt>
        <dd>{printTime(offer.validUntil)}</dd>
        <dt>{T.duration}</dt>
        <dd>
          {quote.months === null ? T.once : T.months(quote.months)}
          {quote.term !== null && <span class="soft"> · {quote.term.name}</span>}
        </dd>
        {isUndecided(offer) && offer.state === 'draft' && (
          <>
            <dt>{T.license}</dt>
            <dd class="soft">{T.undecided}</dd>
          </>
        )}
        {offer.effects.length > 0 && (
          <>
            <dt>{T.effects}</dt>
            <dd>
              {offer.effects.map((effect) => (
                <p key={effect}>{effect}</p>
              ))}
            </dd>
          </>
        )}
        {plan !== null && (
          <>
            <dt>{T.license}</dt>
            <dd>
              {plan.name}
              <span class="soft">
                {' '}
                ·{' '}
                {plan.volumeBytesPerDay === 0
                  ? WORKSPACE.overview.unlimited
                  : T.perDay(printBytes(plan.volumeBytesPerDay))}
                {plan.creditPricePerGib !== undefined &&
                  ` · ${T.perGib(plan.creditPricePerGib, quote.currency)}`}
              </span>
            </dd>
          </>
        )}
        {credit !== null && (
          <>
            <dt>{WORKSPACE.pages.credits}</dt>
            <dd>{printMoney(credit, quote.currency)}</dd>
          </>
        )}
        {isSeller() && plan !== null && (
          <>
            <dt>{T.approval}</dt>
            <dd class={offer.approval === null ? 'soft' : ''}>
              {offer.approval !== null
                ? T.approvals[offer.approval]
                : T.approvalNeeded[hasRole('operator') ? 'operator' : 'sales']}
            </dd>
          </>
        )}
        <dt>{T.made}</dt>
        <dd>
          {printTime(offer.createdAt)} <span class="soft">· {T.version(offer.version)}</span>
        </dd>
        {offer.sentAt !== null && (
          <>
            <dt>{T.sentAt}</dt>
            <dd>{printTime(offer.sentAt)}</dd>
          </>
        )}
        {offer.decidedAt !== null && (
          <>
            <dt>{T.decidedAt}</dt>
            <dd>{printTime(offer.decidedAt)}</dd>
          </>
        )}
        {offer.rejectionReason !== null && (
          <>
            <dt>{T.rejectionReason}</dt>
            <dd>{offer.rejectionReason}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** Each save is a version. */
function EditOffer({ offer, onDone }: { readonly offer: OfferTold; readonly onDone: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(offer))
  const close = () => changeParameters({ edit: '' })
  return (
    <OfferBuilder
      draft={draft}
      onChange={setDraft}
      submit={T.saveDraft}
      onSubmit={async () => {
        const body = {
          ...{ title: draft.title, content: contentOf(draft) },
          validUntil: `${draft.validUntil}T23:59:59Z`,
          ...(hasRole('sales', 'operator') ? planOf(draft) : {}),
        }
        await ask(`/offers/${offer.id}`, { method: 'PATCH', body })
        toast(T.saved)
        onDone()
        close()
      }}
      onCancel={close}
    />
  )
}
