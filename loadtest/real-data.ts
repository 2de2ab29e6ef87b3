// Every file of a folder of real logs (json/*.ndjson, logs/*.log), sent in every shape, read back
// through the public search and compared with the file: counts, raw bytes, order, times, columns,
// words. Exit code 1 when anything differs.
//   npx tsx loadtest/real-data.ts <folder>
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callSdk } from '../test/support/clients/sdk-client.ts'
import { makeSearchClient } from '../test/support/clients/search-client.ts'
import { startProduct } from '../test/support/product/product.ts'
import { SHAPES } from '../test/support/real-data/body-shapes.ts'
import { checkFile, type FileReport, type Target } from '../test/support/real-data/check-file.ts'
import { readDataFolder } from '../test/support/real-data/data-files.ts'

const folder = process.argv[2]
if (folder === undefined) {
  console.error('usage: npx tsx loadtest/real-data.ts <folder with json/*.ndjson and logs/*.log>')
  process.exit(2)
}
const files = readDataFolder(folder)
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-real-data-'))
const product = await startProduct({ dataDir, environment: { TZ: 'UTC' } })
try {
  const { url, secrets } = product
  const target: Target = {
    url,
    search: makeSearchClient(url, secrets.password),
    addListener: async (given) =>
      String((await callSdk(url, secrets.password, 'addListener', given)).token),
  }
  await callSdk(url, secrets.password, 'settings', { timeZone: 'UTC' })
  console.log(
    'file                  shape          events  counted  raw equal  time right  cells  words',
  )
  let problems = 0
  for (const file of files) {
    for (const shape of SHAPES) {
      const report = await checkFile(target, file, shape, `${file.name} ${shape}`)
      print(report)
      problems += report.problems.length
    }
  }
  const all = await target.search.count('*')
  const sent = SHAPES.length * files.reduce((sum, file) => sum + file.lines.length, 0)
  console.log(`${all} events in all logs, ${sent} sent, ${problems} problems`)
  if (problems > 0 || all !== sent) process.exitCode = 1
} finally {
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function print(report: FileReport): void {
  const { file, shape, events, counted, sameRaw, sameTime, cells, words, problems } = report
  const numbers: [number, number][] = [
    [events, 7],
    [counted, 9],
    [sameRaw, 11],
    [sameTime, 12],
    [cells, 7],
    [words, 7],
  ]
  const columns = numbers.map(([value, width]) => String(value).padStart(width)).join('')
  console.log(`${file.padEnd(22)}${shape.padEnd(13)}${columns}`)
  for (const problem of problems) console.log(`    ${problem}`)
}
