import type { Catalog } from '../../../schemas/portal/pricing/catalog.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { WORKSPACE } from '../texts.ts'
import { DiscountFields } from './discount-fields.tsx'
import type { DraftLine } from './draft.ts'

const T = WORKSPACE.offers

export type LineFieldsProps = {
  /** From 1. */
  readonly number: number
  readonly line: DraftLine
  readonly items: Catalog['items']
  readonly currency: string
  readonly error: string | undefined
  readonly onChange: (line: DraftLine) => void
  /** Undefined: it is the only one. */
  readonly onRemove: (() => void) | undefined
}

export function LineFields(props: LineFieldsProps) {
  const { number, line, items, currency, error, onChange, onRemove } = props
  const item = items.find(({ sku }) => sku === line.item)
  return (
    <fieldset class="builder-line">
      <legend class="aside">{T.line(number)}</legend>
      <Select
        label={T.item}
        name={`item-${number}`}
        value={line.item}
        options={[
          ['', T.chooseItem],
          ...items.map(({ sku, name }): [string, string] => [sku, name]),
        ]}
        onChoose={(sku) => onChange({ ...line, item: sku })}
      />
      <Field
        label={item === undefined ? T.quantity : T.quantityIn(item.unit.many)}
        name={`quantity-${number}`}
        required
        value={line.quantity}
        error={error}
        onInput={(quantity) => onChange({ ...line, quantity })}
      />
      <DiscountFields
        label={T.lineDiscount}
        discount={line.discount}
        currency={currency}
        onChange={(discount) => onChange({ ...line, discount })}
      />
      {onRemove !== undefined && (
        <Button look="plain" aria-label={T.removeLine(number)} onClick={onRemove}>
          ×
        </Button>
      )}
    </fieldset>
  )
}
