// Ingest alone and beside searches on a product without other events; the same measure stands in
// `npm run bench:search`, over ten million.
//   npx tsx loadtest/search-beside-ingest.ts [--seconds 10] [--rounds 2] [--searches 8]
// Exits 1 when less than half of the rate is kept, or an event is lost.
import { parseArgs } from 'node:util'
import { measureIngestBeside } from './support/ingest-beside-searches.ts'
import { onFreshProduct } from './support/on-fresh-product.ts'
import { addReader } from './support/search-bench/prepare-users.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '2' },
    searches: { type: 'string', default: '8' },
  },
})

await onFreshProduct('beside', async (product) =>
  measureIngestBeside(product, {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    searches: Number(values.searches),
    reader: await addReader(product),
  }),
)
