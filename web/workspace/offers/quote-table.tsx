// A priced offer: every number says how it comes about.
import type { Quote } from '../../../schemas/portal/pricing/quote.ts'
import { Banner } from '../../shared/parts/banner.tsx'
import { asSentence } from '../../shared/tell-failure.ts'
import { Explained } from '../parts/explained.tsx'
import { printDay, printMoney } from '../parts/print.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'
import { whyDiscounts, whyDue, whyLine, whyList, whyNet } from './why.ts'
import './quote-table.css'

const T = WORKSPACE.offers

export function QuoteTable({ quote }: { readonly quote: Quote }) {
  const { currency, lines, totals, warnings } = quote
  const money = (amount: string) => printMoney(amount, currency)
  return (
    <div class="part">
      {warnings.map(({ code, path, message }) => (
        <Banner key={`${code} ${path}`} kind="warning">
          {asSentence(message)}
        </Banner>
      ))}
      <Table
        label={T.lines}
        columns={[
          { name: T.item },
          { name: T.quantity, isNumber: true },
          { name: T.list, isNumber: true },
          { name: T.discounts, isNumber: true },
          { name: T.net, isNumber: true },
        ]}
        rows={lines}
      >
        {(line, at) => (
          <tr key={`${line.item} ${at}`}>
            <td class="name">
              {line.name}
              <span class="sub">{T.perPeriods(line.per, line.periods)}</span>
            </td>
            <td class="number">
              {line.quantity} {line.unit}
            </td>
            <td class="number">
              <Explained why={whyLine(line, 'list')}>{money(line.list)}</Explained>
            </td>
            <td class="number">
              {line.discounts.length === 0 ? (
                '–'
              ) : (
                <Explained why={whyLine(line, 'discounts', money)}>
                  {money(`-${sumOf(line.list, line.net)}`)}
                </Explained>
              )}
            </td>
            <td class="number strong">
              <Explained why={line.explanation}>{money(line.net)}</Explained>
            </td>
          </tr>
        )}
      </Table>
      <dl class="totals">
        <dt>{T.list}</dt>
        <dd>
          <Explained why={whyList(quote, money)}>{money(totals.list)}</Explained>
        </dd>
        {Number(totals.discounts) !== 0 && (
          <>
            <dt>{T.discounts}</dt>
            <dd>
              <Explained why={whyDiscounts(quote, money)}>
                {money(`-${totals.discounts}`)}
              </Explained>
            </dd>
          </>
        )}
        <dt>{T.net}</dt>
        <dd>
          <Explained why={whyNet(quote, money)}>{money(totals.net)}</Explained>
        </dd>
        {totals.taxes.map(({ name, amount }) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>
              <Explained why={[T.whyTax(name, money(totals.net), money(amount))]}>
                {money(amount)}
              </Explained>
            </dd>
          </>
        ))}
        {totals.credits.map(({ name, applied, left }) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>
              <Explained why={[T.whyCredit(money(applied), money(left))]}>
                {money(`-${applied}`)}
              </Explained>
            </dd>
          </>
        ))}
        <dt class="totals-due">{T.due}</dt>
        <dd class="totals-due">
          <Explained why={whyDue(quote, money)}>{money(totals.due)}</Explained>
        </dd>
      </dl>
      <p class="soft">
        {T.priced(quote.priceBook.id, quote.priceBook.version, printDay(quote.date))}
      </p>
    </div>
  )
}

/** list less net, exact: both have the digits of the currency. */
function sumOf(list: string, net: string): string {
  const digits = (list.split('.')[1] ?? '').length
  const units = (text: string) => BigInt(text.replace('.', ''))
  const text = String(units(list) - units(net)).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
