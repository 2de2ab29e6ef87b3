// Who may import whom (docs/reference/architecture.md), as rules over import statements. The test
// feeds it the real tree and planted violations.

export type SourceFile = { readonly path: string; readonly text: string }

/** A lane may import only these lanes (and itself). roles/ wires them; main.ts opens the roles and
 *  may import all. */
const LANES: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  infra: ['schemas'],
  ingest: ['schemas', 'infra'],
  query: ['schemas', 'infra'],
  portal: ['schemas', 'infra'],
  web: ['schemas'],
  roles: ['schemas', 'infra', 'ingest', 'query', 'portal'],
}

/** Beside themselves and tests. */
const MAY_KNOW_ROLES = ['main.ts', 'test']

/** What tests and load tests share is in test/support/; it knows no load test. Only these tests run
 *  one, or test what one is made of. */
const SHARED = 'test/support/'
const TESTS_OF_LOADTESTS = ['test/behaviour/chaos/', 'test/unit/loadtest/']

/** The reference of the search language reads and evaluates by itself what it judges. */
const REFERENCE = 'test/support/reference/'

const MAX_FILES = 20
/** Not looked through by folder: lists, each file of which stands for itself. */
const LISTS = ['test/cases/', 'test/fixtures/', 'docs/decisions/', 'infra/database/migrations/']

/** Pure folders: no IO, no infra, and no packages but these. */
const PURE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'ingest/split/': [],
  'ingest/mask/': [],
  'ingest/patterns/': [],
  'query/language/': [],
  'portal/license/alerts/': [],
  'portal/license/credits/': [],
  'portal/license/forecast/': [],
  'portal/pricing/engine/': ['bignumber.js'],
}

/** Money: no binary floating point, and one place that divides and rounds. */
const EXACT_FOLDER = 'portal/pricing/engine/'
const DECIMAL_FILE = 'portal/pricing/engine/decimal.ts'

/** A package and the only places that may import it: an engine is known to its adapter alone. */
const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  lmdb: ['infra/event-log/'],
  kafkajs: ['infra/event-log/'],
  libsql: ['infra/database/'],
  pg: ['infra/database/'],
  kysely: ['infra/database/', 'infra/metastore/', 'infra/evidence/', 'portal/'],
  chdb: ['infra/store/server/'],
  '@clickhouse/client': ['infra/store/'],
  'uWebSockets.js': ['infra/http/', 'loadtest/'],
  avsc: ['schemas/block/codec.ts'],
  'bignumber.js': [DECIMAL_FILE],
  hono: ['infra/', 'query/', 'portal/'],
  'openid-client': ['infra/access/oidc/'],
  'prom-client': ['infra/'],
  preact: ['web/'],
  '@preact/signals': ['web/'],
  '@codemirror/autocomplete': ['web/'],
  '@codemirror/commands': ['web/'],
  '@codemirror/language': ['web/'],
  '@codemirror/lint': ['web/'],
  '@codemirror/state': ['web/'],
  '@codemirror/view': ['web/'],
  '@fontsource-variable/inter': ['web/'],
  '@lezer/highlight': ['web/'],
  vite: ['web/vite.config.ts', 'loadtest/faults/find-faults.ts'],
  yaml: ['query/sdk/configuration/', 'test/'],
  ssh2: ['infra/outbound/'],
  nodemailer: ['infra/mail/'],
  pdfkit: ['infra/pdf/'],
  '@resvg/resvg-wasm': ['infra/charts/'],
  '@fastify/busboy': ['portal/offers/'],
  standardwebhooks: ['portal/webhooks/', 'query/monitors/tell/', 'infra/evidence/'],
  'playwright-core': ['loadtest/console/'],
  'svg-to-pdfkit': ['infra/pdf/'],
  echarts: ['infra/charts/', 'web/console/dashboards/view/'],
  'world-atlas': ['infra/scripts/'],
  aws4fetch: ['infra/outbound/'],
  'fast-xml-parser': ['infra/outbound/', 'infra/objects/', 'query/sdk/tasks/'],
  zod: [
    'schemas/',
    'infra/',
    'ingest/',
    'query/',
    'portal/',
    'loadtest/chaos/',
    'loadtest/console/',
  ],
}

/** Only here may time and randomness be asked for: in the product, and in its pages. */
const CLOCK_FILE = 'infra/clock.ts'
const PAGE_CLOCK_FILE = 'web/shared/clock.ts'
/** A component of the pages imports them. */
const STYLES = /\.css$/

export function findViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...importViolations(file),
    ...clockViolations(file),
    ...floatViolations(file),
    ...standstillViolations(file),
  ])
}

/** Folders in which nobody finds a file any more. */
export function findFullFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (LISTS.some((list) => path.startsWith(list))) continue
    const folder = path.split('/').slice(0, -1).join('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([folder, count]) =>
    count > MAX_FILES ? `${folder || '.'} has ${count} files, at most ${MAX_FILES}` : [],
  )
}

const MAX_COLUMNS = 100
/** Biome reads its own comments as one line. */
const WIDE_COMMENT = /^\s*(?:\/\/|\/\*|\*)(?! biome-ignore)/
/** They hold texts of pages, whose lines look like comments. */
const PAGES = 'infra/scripts/'

/** Lines of comments that no window shows whole. */
export function findWideComments(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith(PAGES))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => {
        const isWide = line.length > MAX_COLUMNS && WIDE_COMMENT.test(line)
        return isWide ? `${path}:${at + 1} is a comment of ${line.length} columns` : []
      }),
    )
}

/** Specifiers of static and dynamic imports and re-exports. */
export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** Longest first to last, each importing the next, types included; a file that is not in the list
 *  ends it. */
export function findLongestChain(files: readonly SourceFile[]): readonly string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const known = new Map<string, readonly string[]>()
  const longest = (chains: readonly (readonly string[])[]) =>
    chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [])
  const chainFrom = (path: string): readonly string[] => {
    const text = texts.get(path)
    if (text === undefined) return []
    const answer = known.get(path)
    if (answer) return answer
    // Also what ends circles.
    known.set(path, [])
    const targets = importsOf(text).filter((specifier) => specifier.startsWith('.'))
    const chain = [path, ...longest(targets.map((target) => chainFrom(resolve(path, target))))]
    known.set(path, chain)
    return chain
  }
  return longest(files.map(({ path }) => chainFrom(path)))
}

function importViolations({ path, text }: SourceFile): string[] {
  const lane = laneOf(path)
  const [, ownPackages] =
    Object.entries(PURE_FOLDERS).find(([folder]) => path.startsWith(folder)) ?? []
  const isPure = ownPackages !== undefined
  const violations: string[] = []
  for (const specifier of importsOf(text)) {
    const say = (reason: string) => violations.push(`${path} imports ${specifier}: ${reason}`)
    if (specifier.startsWith('.')) {
      if (!/\.(tsx?|json)$/.test(specifier) && !(lane === 'web' && STYLES.test(specifier)))
        say('a relative import ends in .ts')
      const target = resolve(path, specifier)
      const targetLane = laneOf(target)
      if (
        targetLane === 'test' &&
        lane !== 'test' &&
        !(lane === 'loadtest' && target.startsWith(SHARED))
      )
        say('the product does not need its tests')
      if (
        targetLane === 'loadtest' &&
        lane !== 'loadtest' &&
        !TESTS_OF_LOADTESTS.some((it) => path.startsWith(it))
      )
        say('only tests of load tests may know them')
      if (targetLane === 'roles' && lane !== 'roles' && !MAY_KNOW_ROLES.includes(lane))
        say('only main.ts may know roles')
      if (lane in LANES && targetLane !== lane && !LANES[lane]?.includes(targetLane)) {
        say(`${lane} may not know ${targetLane}`)
      }
      if (isPure && targetLane === 'infra') say('a pure folder does no IO')
      if (path.startsWith(REFERENCE) && (targetLane === 'query' || targetLane === 'portal'))
        say('the reference may not know what it judges')
      continue
    }
    if (lane === 'test') continue
    if (isPure && !ownPackages.includes(specifier)) say('a pure folder has no packages')
    if (specifier.startsWith('node:')) continue
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
    const owners = PACKAGE_OWNERS[name]
    if (!owners) say('this package has no owner in the list')
    else if (!owners.some((owner) => path.startsWith(owner))) say(`only ${owners.join(', ')} may`)
  }
  return violations
}

function clockViolations({ path, text }: SourceFile): string[] {
  const lane = laneOf(path)
  if (path === CLOCK_FILE || path === PAGE_CLOCK_FILE || !(lane in LANES)) return []
  const owner = lane === 'web' ? PAGE_CLOCK_FILE : CLOCK_FILE
  return [
    ...text.matchAll(
      /\b(?:Date\.now\(\)|new Date\(\)|Math\.random\(\)|performance\.now\(\)|randomUUID\(|randomBytes\()/g,
    ),
  ]
    .filter((match) => !/(?:clock|Clock)\.$/.test(text.slice(0, match.index)))
    .map((match) => `${path} calls ${match[0]}: time and randomness come from ${owner}`)
}

/** What makes binary numbers of decimal ones, or rounds them where nobody looks. */
const FLOATS =
  /\b(?:Number\b|parseFloat\(|parseInt\(|Math\.)|\.(?:toNumber|valueOf)\(|(?<![\w$])\d[\d_]*(?:\.\d|e-)/g
/** Words of the decimal library for which decimal.ts has its own. */
const ROUNDING =
  /\.(?:div|dividedBy|idiv|dividedToIntegerBy|mod|modulo|pow|sqrt|decimalPlaces|dp)\(/g
const COMMENTS_AND_TEXTS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|'(?:[^'\\\n]|\\.)*'/g

/** The code alone. */
export function withoutTexts(text: string): string {
  return text.replace(COMMENTS_AND_TEXTS, "''")
}

function floatViolations({ path, text }: SourceFile): string[] {
  if (!path.startsWith(EXACT_FOLDER)) return []
  const code = withoutTexts(text)
  const rounding = path === DECIMAL_FILE ? [] : [...code.matchAll(ROUNDING)]
  return [...code.matchAll(FLOATS), ...rounding].map(
    ([found]) => `${path} has ${found}: money is exact, and ${DECIMAL_FILE} rounds`,
  )
}

/** Where tests get programs from that they stand still for. */
const RUN_SYNC = 'test/support/run/run-sync.ts'
const STANDSTILL = /^import \{[^}]*\b\w+Sync\b[^}]*\} from 'node:child_process'/m

function standstillViolations({ path, text }: SourceFile): string[] {
  const isJudged = laneOf(path) === 'test' && path !== RUN_SYNC
  return isJudged && STANDSTILL.test(text)
    ? [`${path} may wait for a program for ever: ${RUN_SYNC} has limits`]
    : []
}

function laneOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : path
}

function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
