import type { Catalog } from '../../../schemas/portal/pricing/catalog.ts'
import { address, changeParameters } from '../../shared/address.ts'
import { useAsked } from '../../shared/asked.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { ask, withQuery } from '../api/ask.ts'
import { hasRole, isSeller, isVendor, session } from '../api/session.ts'
import { Page } from '../parts/page.tsx'
import { printDay } from '../parts/print.ts'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import './catalog.css'

const T = WORKSPACE.catalog

/** The price book in force, as whoever looks may see it. */
export function CatalogPage() {
  const { parameters } = address.value
  const currency = parameters.get('currency') ?? ''
  const region = parameters.get('region') ?? ''
  const path = withQuery('/pricing/catalog', { currency, region })
  const asked = useAsked(path, (signal) => ask<Catalog>(path, { signal }))
  const title = isVendor() ? WORKSPACE.pages.catalogOfVendor : WORKSPACE.pages.catalog
  if (asked.error?.status === 404)
    return (
      <Page title={title}>
        <Empty title={T.none}>
          <p class="soft">{hasRole('sales', 'operator') ? T.noneVendor : T.noneText}</p>
          {hasRole('sales', 'operator') && (
            <a class="button button-main" href={PATHS.priceBooks}>
              {WORKSPACE.pages.priceBooks}
            </a>
          )}
        </Empty>
      </Page>
    )
  const canOffer = isSeller() && session.value?.organization?.kind === 'customer'
  return (
    <Page
      title={title}
      {...(asked.answer === undefined
        ? {}
        : {
            intro: (isVendor() ? T.introVendor : T.intro)(
              asked.answer.priceBook.id,
              asked.answer.priceBook.version,
              printDay(asked.answer.effectiveFrom),
            ),
          })}
      acts={
        canOffer && (
          <a class="button button-main" href={`${PATHS.offers}/new`}>
            {WORKSPACE.offers.new}
          </a>
        )
      }
    >
      <AskedPart asked={asked}>
        {(catalog) => (
          <>
            <div class="row wrap">
              <Select
                label={T.currency}
                name="currency"
                value={catalog.currency}
                options={catalog.currencies.map((one) => [one, one])}
                onChoose={(one) => changeParameters({ currency: one })}
              />
              <Select
                label={T.region}
                name="region"
                value={catalog.region ?? ''}
                options={catalog.regions.map(({ id, name }) => [id, name])}
                onChoose={(one) => changeParameters({ region: one })}
              />
            </div>
            <div class="catalog-items">
              {catalog.items.map((item) => (
                <article key={item.sku} class="card">
                  <div class="card-head">
                    <h2>{item.name}</h2>
                    <span class="soft">{T.per[item.price.per]}</span>
                  </div>
                  {item.description !== '' && <p class="soft">{item.description}</p>}
                  <ul class="catalog-words">
                    {item.price.words.map((sentence) => (
                      <li key={sentence}>{sentence}</li>
                    ))}
                    {item.volumeDiscounts.map(({ from, percent }) => (
                      <li key={from}>{T.volumeDiscount(from, item.unit.many, percent)}</li>
                    ))}
                    {item.features.map((feature) => (
                      <li key={feature}>{String(feature)}</li>
                    ))}
                  </ul>
                  <p class="soft">
                    <code>{item.sku}</code>
                    {item.requires.length > 0 && ` · ${T.requires(item.requires.join(', '))}`}
                    {item.price.channel !== null && ` · ${T.channel(item.price.channel)}`}
                  </p>
                </article>
              ))}
            </div>
            <section class="card">
              <h2>{T.terms}</h2>
              <dl class="facts">
                {catalog.terms.map(({ id, name, discountPercent }) => (
                  <>
                    <dt key={id}>{name}</dt>
                    <dd>
                      {discountPercent === '0' ? T.noDiscount : T.termDiscount(discountPercent)}
                    </dd>
                  </>
                ))}
              </dl>
            </section>
          </>
        )}
      </AskedPart>
    </Page>
  )
}
