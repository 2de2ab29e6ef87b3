// Which test files run on both dialects: those that open a database, by their imports, however far
// away, but for those to which it only lends names. A new one runs on both without being named
// anywhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PLACE = 'database-place.ts'

/** What a PostgreSQL server alone has, and what the embedded database alone has. */
export const ONLY_POSTGRES = 'test/contract/database/postgres*.test.ts'
export const ONLY_SQLITE = 'test/contract/database/database-sqlite.test.ts'

const READS_ACCOUNTS = 'reads an account and a tree, as metastore/ does on both'
const ASKS_THE_STORE = `asks the store; of the database it ${READS_ACCOUNTS}`
const ASKS_NOTHING = `asks the app; of the database it ${READS_ACCOUNTS}`
const READS_ACCOUNTS_BESIDE = 'collect.test.ts and address-book.test.ts read positions and accounts'

/** Files that open a database and test nothing of it, each with what else they test: they run on
 *  the embedded one alone. */
export const LENT: Readonly<Record<string, string>> = {
  'collect/rotations': 'what a rotation does to files; collect.test.ts keeps positions on both',
  'collect/s3-objects': `objects of a bucket; ${READS_ACCOUNTS_BESIDE}`,
  'collect/ssh-files': `files of another host; ${READS_ACCOUNTS_BESIDE}`,
  'collect/copied-logs': 'what is copied and when; query-task.test.ts keeps marks on both',
  'collect/copied-pages': 'how large pages are; query-task.test.ts keeps marks on both',
  'collect/filtered-lines': `filters of lines; ${ASKS_THE_STORE}`,
  'collect/short-lines': 'blocks of the event log; collect.test.ts keeps positions on both',
  'dashboards/dashboard-export': 'documents of dashboards; dashboards.test.ts keeps them on both',
  'event-log/event-log': 'the event logs; a logger is borrowed from beside the database',
  'configuration/statistics-recount': `random events against a recount; ${ASKS_THE_STORE}`,
  'language/event-filter': `filters of rows; ${ASKS_THE_STORE}`,
  'language/language-reference': 'queries of the store by the hundred, for the same few names',
  'language/manual': 'queries of the store by the hundred, for the same few names',
  'machine/backup-copy': 'a copy of the embedded database; a server has its own backup',
  'machine/restored-limits': 'a backup of the embedded database that is put back',
  'machine/variants': 'says once what is absent here',
  'monitors/mail-pictures': 'charts in mails; alert-delivery.test.ts keeps mails on both',
  'monitors/unusual': 'what numbers are unusual; monitors.test.ts keeps alerts on both',
  'objects/object-kinds':
    'each kind by its commands; every-command, apply and its own tests write it on both',
  'portal/portal-client': 'that the client compiles; the document is the same on both',
  'portal/portal-offer-pdf': 'the document of an offer; portal-offers.test.ts keeps offers on both',
  'portal/proof/portal-attacks': 'what the edge of the portal refuses before any row is read',
  'query/openapi': `the document; ${ASKS_NOTHING}`,
  'query/query-app': `routes and failures; ${ASKS_NOTHING}`,
  'query/sdk': 'how the client speaks; every-command.test.ts runs its commands on both',
  'query/sdk-patterns': `patterns on lines that are given; ${ASKS_NOTHING}`,
  'query/search/search': `parameters, forms and ends of a search; ${ASKS_THE_STORE}`,
  'query/search/search-json': `pages, tails and counts; ${ASKS_THE_STORE}`,
  'query/search/search-json-facets': `facets and completions; ${ASKS_THE_STORE}`,
  'query/search/search-regexp': `regular expressions; ${ASKS_THE_STORE}`,
  'query/search/search-unseen': `that hidden logs show nowhere; the rights themselves are in metastore/ on both`,
  'query/sign-in-flood': 'that hashes wait their turn; sign-in.test.ts signs in on both',
  'retention/archive-model': 'archives in random order; archive.test.ts keeps their rows on both',
  'retention/compaction': 'what the store makes of its parts; the job writes no row',
  'retention/second-disk': 'where the store has its parts; retention.test.ts keeps days on both',
  'retention/year-of-days':
    'days and a naive model; retention, archive and deletions keep their rows on both',
  'sdk/without-the-right':
    'what is refused before anything is read; every-command.test.ts runs commands on both',
  'security/audit-log': 'who reads it by which way; audit-copy.test.ts copies it on both',
  'query/warnings/search-hints': `words that no event has; ${ASKS_THE_STORE}`,
  'query/warnings/advice': `words of warnings; ${ASKS_THE_STORE}`,
  'templates/add-template':
    'names and patterns that are taken or refused; writer-templates.test.ts keeps versions on both',
  'writer/writer-explain': `what debug=1 says; it ${READS_ACCOUNTS}`,
  'writer/writer-kafka': 'the positions of the event log on Kafka',
  'writer/writer-trouble':
    'a store that refuses, fails or is away; writer-blocks.test.ts names damage on both',
}

const pathOf = (name: string) => `test/contract/${name}.test.ts`

/** Relative to the root of the checkout. */
export function findDatabaseTests(folder: string): string[] {
  const known = new Map<string, boolean>()
  const lent = new Set(Object.keys(LENT).map(pathOf))
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((file) => reachesPlace(file, known))
  for (const file of lent)
    if (!found.includes(file)) throw new Error(`${file} opens no database: take it off the list`)
  return found.filter((file) => !lent.has(file))
}

function reachesPlace(file: string, known: Map<string, boolean>): boolean {
  if (file.endsWith(PLACE)) return true
  const answer = known.get(file)
  if (answer !== undefined) return answer
  // Also what ends circles.
  known.set(file, false)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const imports = [...text.matchAll(/from '(\.{1,2}\/[^']*)'/g)].map((match) => match[1] ?? '')
  const reaches = imports
    .map((path) => join(dirname(file), path))
    .filter((path) => path.startsWith('test/'))
    .some((path) => reachesPlace(path, known))
  known.set(file, reaches)
  return reaches
}
