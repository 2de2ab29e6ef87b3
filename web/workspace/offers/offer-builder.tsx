import { useEffect, useState } from 'preact/hooks'
import type { LicenseTold } from '../../../schemas/portal/accounts.ts'
import type { Catalog } from '../../../schemas/portal/pricing/catalog.ts'
import type { Quote } from '../../../schemas/portal/pricing/quote.ts'
import { useAsked } from '../../shared/asked.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { TEXTS } from '../../shared/texts.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import { FormError } from '../parts/form-error.tsx'
import { printMoney } from '../parts/print.ts'
import { WORKSPACE } from '../texts.ts'
import { DiscountFields } from './discount-fields.tsx'
import { contentOf, type Draft, isWithoutPlan } from './draft.ts'
import { LineFields } from './line-fields.tsx'
import { QuoteTable } from './quote-table.tsx'
import './offer-builder.css'

const T = WORKSPACE.offers
const REST_MS = 250

export type OfferBuilderProps = {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  /** On the button. */
  readonly submit: string
  readonly onSubmit: () => Promise<void>
  readonly onCancel: () => void
}

/** Items, quantities, term and discounts; each change is priced at once. */
export function OfferBuilder({ draft, onChange, submit, onSubmit, onCancel }: OfferBuilderProps) {
  const catalog = useAsked('catalog', (signal) => ask<Catalog>('/pricing/catalog', { signal }))
  const isStaff = hasRole('sales', 'operator')
  const licenses = useAsked('licenses of the customer', async (signal) =>
    isStaff ? await ask<{ data: LicenseTold[] }>('/licenses?limit=200', { signal }) : undefined,
  )
  const held = (licenses.answer?.data ?? []).filter(({ state }) => state !== 'revoked')
  const text = useRested(JSON.stringify(contentOf(draft)))
  const hasLines = draft.lines.some(({ item }) => item !== '')
  const quote = useAsked(`quote ${text}`, async (signal) =>
    JSON.parse(text).lines.length === 0
      ? undefined
      : await ask<Quote>('/pricing/quote', { body: JSON.parse(text), signal }),
  )
  const [last, setLast] = useState<Quote>()
  useEffect(() => {
    if (quote.answer !== undefined) setLast(quote.answer)
  }, [quote.answer])
  const act = useAct(() => undefined)
  const set = (changed: Partial<Draft>) => onChange({ ...draft, ...changed })
  const faults = quote.answer === undefined && !quote.isBusy ? (quote.error?.faults ?? []) : []
  // Lines without an item are not sent: the places of the others move up.
  const places: number[] = []
  draft.lines.forEach(({ item }, at) => {
    if (item !== '') places.push(at)
  })
  const faultOf = (at: number) => {
    const place = places.indexOf(at)
    const own = faults.filter(({ pointer }) => pointer.startsWith(`/lines/${place}`))
    return place === -1 || own.length === 0
      ? undefined
      : own.map(({ message }) => message).join(' ')
  }
  const others = faults.filter(({ pointer }) => !/^\/lines\/\d+/.test(pointer))
  return (
    <form
      class="builder"
      onSubmit={(event) => {
        event.preventDefault()
        act.run(onSubmit)
      }}
    >
      <AskedPart asked={catalog}>
        {({ items, terms, currency, discountLimitPercent }) => (
          <div class="part">
            <section class="card">
              <div class="builder-row">
                <Field
                  label={T.title}
                  name="title"
                  required
                  autofocus
                  value={draft.title}
                  onInput={(title) => set({ title })}
                />
                <Field
                  label={T.validUntil}
                  name="validUntil"
                  required
                  value={draft.validUntil}
                  onInput={(validUntil) => set({ validUntil })}
                />
                <Select
                  label={T.term}
                  name="term"
                  value={draft.term}
                  options={[
                    ['', T.noTerm],
                    ...terms.map(({ id, name, discountPercent }): [string, string] => [
                      id,
                      discountPercent === '0' ? name : T.termOption(name, discountPercent),
                    ]),
                  ]}
                  onChoose={(term) => set({ term })}
                />
              </div>
            </section>
            <section class="card">
              <h2>{T.lines}</h2>
              {draft.lines.map((line, at) => (
                <LineFields
                  key={at}
                  number={at + 1}
                  line={line}
                  items={items}
                  currency={currency}
                  error={faultOf(at)}
                  onChange={(changed) => set({ lines: draft.lines.with(at, changed) })}
                  onRemove={
                    draft.lines.length === 1
                      ? undefined
                      : () => set({ lines: draft.lines.toSpliced(at, 1) })
                  }
                />
              ))}
              <div class="row">
                <Button
                  onClick={() =>
                    set({
                      lines: [
                        ...draft.lines,
                        {
                          item: '',
                          quantity: '1',
                          discount: { kind: 'percent', value: '', reason: '' },
                        },
                      ],
                    })
                  }
                >
                  {T.addLine}
                </Button>
              </div>
            </section>
            <section class="card">
              <h2>{T.discounts}</h2>
              <p class="soft">{T.limit(discountLimitPercent)}</p>
              <div class="builder-row">
                <DiscountFields
                  label={T.offerDiscount}
                  discount={draft.discount}
                  currency={currency}
                  onChange={(discount) => set({ discount })}
                />
                <Field
                  label={T.promotions}
                  help={T.promotionsHelp}
                  name="promotions"
                  value={draft.promotions}
                  onInput={(promotions) => set({ promotions })}
                />
              </div>
              <div class="builder-row">
                <Field
                  label={T.taxName}
                  name="taxName"
                  placeholder="VAT 19 %"
                  value={draft.taxName}
                  onInput={(taxName) => set({ taxName })}
                />
                <Field
                  label={T.taxPercent}
                  name="taxPercent"
                  placeholder="19"
                  value={draft.taxPercent}
                  onInput={(taxPercent) => set({ taxPercent })}
                />
              </div>
            </section>
            {isStaff && (
              <section class="card">
                <h2>{T.license}</h2>
                <p class="soft">{T.licenseHelp}</p>
                <Select
                  label={T.licenseChange}
                  name="license"
                  value={draft.license}
                  options={[
                    ['', T.licenseChanges.undecided],
                    ['new', T.licenseChanges.new],
                    ...held.flatMap(({ id, name }): [string, string][] => [
                      [`add ${id}`, T.licenseChanges.add(name)],
                      [`extend ${id}`, T.licenseChanges.extend(name)],
                      [`replace ${id}`, T.licenseChanges.replace(name)],
                    ]),
                    ['none', T.licenseChanges.none],
                  ]}
                  onChoose={(license) => set({ license })}
                />
                <div class="builder-row">
                  {!isWithoutPlan(draft) && (
                    <>
                      <Field
                        label={T.planName}
                        name="planName"
                        value={draft.planName}
                        onInput={(planName) => set({ planName })}
                      />
                      <Field
                        label={T.planVolume}
                        help={T.planVolumeHelp}
                        name="planVolume"
                        value={draft.planGbPerDay}
                        onInput={(planGbPerDay) => set({ planGbPerDay })}
                      />
                      <Field
                        label={T.creditPrice(currency)}
                        name="creditPrice"
                        value={draft.creditPrice}
                        onInput={(creditPrice) => set({ creditPrice })}
                      />
                    </>
                  )}
                  <Field
                    label={T.credit(currency)}
                    name="credit"
                    value={draft.credit}
                    onInput={(credit) => set({ credit })}
                  />
                </div>
              </section>
            )}
          </div>
        )}
      </AskedPart>
      <section class="part" aria-label={T.price} aria-busy={quote.isBusy}>
        <h2>{T.price}</h2>
        {quote.error !== undefined && quote.answer === undefined && !quote.isBusy && hasLines && (
          <div role="alert">
            {(others.length > 0 ? others : faults.length > 0 ? [] : [quote.error]).map(
              ({ message }) => (
                <p key={message} class="field-error">
                  {message || TEXTS.failure.unreachable}
                </p>
              ),
            )}
            {faults.length > others.length && <p class="field-error">{T.linesAtFault}</p>}
          </div>
        )}
        {last === undefined || !hasLines ? (
          <p class="soft">{T.noPrice}</p>
        ) : (
          <div class={quote.answer === undefined ? 'builder-old' : ''}>
            <QuoteTable quote={last} />
          </div>
        )}
      </section>
      <FormError error={act.error} />
      <div class="row builder-acts">
        <Button
          look="main"
          type="submit"
          disabled={act.isBusy || quote.answer === undefined || draft.title.trim() === ''}
        >
          {submit}
        </Button>
        <Button onClick={onCancel}>{TEXTS.act.cancel}</Button>
        <span class="grow" />
        {last !== undefined && hasLines && (
          <span class={quote.answer === undefined ? 'builder-old' : ''}>
            <span class="soft">{T.due}</span>{' '}
            <b class="builder-due">{printMoney(last.totals.due, last.currency)}</b>
          </span>
        )}
      </div>
    </form>
  )
}

/** What has not changed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
