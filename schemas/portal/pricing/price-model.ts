// How an amount comes out of a quantity: one shape for each file of portal/pricing/engine/models/.
import { z } from 'zod'
import { decimalText } from './values.ts'

const MAX_TIERS = 100
const MAX_TRANSACTIONS_FREE = 1_000_000

const kind = <Kind extends string>(name: Kind) =>
  z.literal(name).meta({ description: 'Which model this is.' })

const freeUnits = decimalText
  .default('0')
  .meta({ description: 'Units at the beginning that cost nothing.' })

const upTo = decimalText.nullable().meta({
  description: 'Last quantity of the tier, itself included; null in the last tier, which is open.',
})

const flatFee = decimalText
  .default('0')
  .meta({ description: 'Charged once when the tier is reached; the first tier is reached by 0.' })

export const tierSchema = z
  .strictObject({
    upTo,
    unitPrice: decimalText.default('0').meta({ description: 'Price of a unit in this tier.' }),
    flatFee,
  })
  .meta({ id: 'PriceTier', description: 'Units up to a quantity, and what they cost.' })

export const percentageTierSchema = z
  .strictObject({
    upTo,
    percent: decimalText.meta({ description: 'Percent of the part of the amount in this tier.' }),
    flatFee: decimalText
      .default('0')
      .meta({ description: 'Charged once when a part of the amount falls into the tier.' }),
  })
  .meta({ id: 'PercentageTier', description: 'A part of an amount, and what percent it costs.' })

const flat = z
  .strictObject({
    kind: kind('flat'),
    amount: decimalText.meta({ description: 'The price, whatever the quantity.' }),
  })
  .meta({ id: 'FlatPrice', description: 'One price for any quantity.' })

const perUnit = z
  .strictObject({
    kind: kind('per_unit'),
    unitPrice: decimalText.meta({ description: 'Price of one unit.' }),
    freeUnits,
  })
  .meta({ id: 'PerUnitPrice', description: 'Quantity × price of a unit.' })

const graduated = z
  .strictObject({
    kind: kind('graduated'),
    tiers: z
      .array(tierSchema)
      .min(1)
      .max(MAX_TIERS)
      .meta({ description: 'Each unit costs what its own tier says.' }),
  })
  .meta({ id: 'GraduatedPrice', description: 'Each unit at the price of the tier it falls into.' })

const volume = z
  .strictObject({
    kind: kind('volume'),
    tiers: z
      .array(tierSchema)
      .min(1)
      .max(MAX_TIERS)
      .meta({ description: 'All units cost what the tier of the whole quantity says.' }),
  })
  .meta({ id: 'VolumePrice', description: 'All units at the price of the tier that is reached.' })

const packages = z
  .strictObject({
    kind: kind('package'),
    size: decimalText.meta({ description: 'Units in a package; more than 0.' }),
    packagePrice: decimalText.meta({ description: 'Price of a package, also of one begun.' }),
    freeUnits,
  })
  .meta({ id: 'PackagePrice', description: 'Whole packages of units.' })

const percentage = z
  .strictObject({
    kind: kind('percentage'),
    percent: decimalText.meta({ description: 'Percent of the amount; may be over 100.' }),
    fixedFee: decimalText
      .default('0')
      .meta({ description: 'Added for each transaction that is not wholly free.' }),
    freeAmount: decimalText
      .nullable()
      .default(null)
      .meta({ description: 'Amount at the beginning that costs nothing; null: not limited so.' }),
    freeTransactions: z.int().min(0).max(MAX_TRANSACTIONS_FREE).nullable().default(null).meta({
      description:
        'First transactions that cost nothing; null: not limited so. With freeAmount the earlier of the two ends it.',
    }),
    minimumPerTransaction: decimalText
      .nullable()
      .default(null)
      .meta({ description: 'Least charge of a transaction that is not free; null: none.' }),
    maximumPerTransaction: decimalText
      .nullable()
      .default(null)
      .meta({ description: 'Greatest charge of a transaction; null: none.' }),
  })
  .meta({ id: 'PercentagePrice', description: 'Percent of an amount, which is the quantity.' })

const graduatedPercentage = z
  .strictObject({
    kind: kind('graduated_percentage'),
    tiers: z
      .array(percentageTierSchema)
      .min(1)
      .max(MAX_TIERS)
      .meta({ description: 'Each part of the amount costs the percent of its own tier.' }),
  })
  .meta({ id: 'GraduatedPercentagePrice', description: 'Percent of an amount by tiers.' })

const commitment = z
  .strictObject({
    kind: kind('commitment'),
    amount: decimalText.meta({ description: 'The minimum: charged also when less is used.' }),
    includedUnits: decimalText.meta({ description: 'Units that the minimum covers.' }),
    overagePrice: decimalText.meta({ description: 'Price of each unit above them.' }),
  })
  .meta({ id: 'CommitmentPrice', description: 'A minimum commitment, and a price above it.' })

export const priceModelSchema = z
  .discriminatedUnion('kind', [
    flat,
    perUnit,
    graduated,
    volume,
    packages,
    percentage,
    graduatedPercentage,
    commitment,
  ])
  .meta({ id: 'PriceModel', description: 'How an amount comes out of a quantity.' })

export type PriceModel = Readonly<z.output<typeof priceModelSchema>>
export type ModelOf<Kind extends PriceModel['kind']> = Extract<PriceModel, { kind: Kind }>
export type Tier = Readonly<z.output<typeof tierSchema>>
