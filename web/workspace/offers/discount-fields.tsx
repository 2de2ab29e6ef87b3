import { useId } from 'preact/hooks'
import { WORKSPACE } from '../texts.ts'
import type { Discount } from './draft.ts'

const T = WORKSPACE.offers

/** So much off, in percent or as an amount, and why. */
export function DiscountFields({
  label,
  discount,
  currency,
  onChange,
}: {
  readonly label: string
  readonly discount: Discount
  readonly currency: string
  readonly onChange: (discount: Discount) => void
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="builder-discount">
        <input
          id={id}
          class="input"
          inputMode="decimal"
          placeholder="0"
          value={discount.value}
          onInput={(event) => onChange({ ...discount, value: event.currentTarget.value })}
        />
        <select
          class="input"
          aria-label={T.discountKind(label)}
          value={discount.kind}
          onChange={(event) =>
            onChange({
              ...discount,
              kind: event.currentTarget.value === 'amount' ? 'amount' : 'percent',
            })
          }
        >
          <option value="percent">%</option>
          <option value="amount">{currency}</option>
        </select>
        {discount.value !== '' && (
          <input
            class="input builder-reason"
            aria-label={T.discountReason(label)}
            placeholder={T.reason}
            value={discount.reason}
            onInput={(event) => onChange({ ...discount, reason: event.currentTarget.value })}
          />
        )}
      </div>
    </div>
  )
}
