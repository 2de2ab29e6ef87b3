// What a product made of a damaged directory, judged from outside by what was acknowledged before.
// right: every answer is right. named: answers differ, and search, health and log say so. refused:
// it does not start and says which engine is why, in one line. late: an answer differs and does not
// say so, later ones do. half: none ever does, but health and log. silent: nothing does. unclear:
// it says less than it must, or it ends otherwise.
import type { Secrets } from '../../../test/support/product/product.ts'
import { hostOf } from '../campaign/numbered-events.ts'
import { type Answer, type Asked, ask, askRaws } from './ask.ts'
import { isBlockNamed, isOfBlock } from './damaged-block.ts'
import { type DamagedProduct, startDamaged } from './damaged-product.ts'
import { countOf, WAITING_ROUND } from './prepare.ts'
import { differencesIn, logOf, type Sent, textsOf } from './sent-events.ts'

export type Outcome = 'right' | 'named' | 'refused' | 'late' | 'half' | 'silent' | 'unclear'
export type Judgement = { readonly outcome: Outcome; readonly told: string }

const ENGINE = /store|event.?log|database|logeye\.db|data\.mdb|data directory/i
const STACK = /^\s+at .+:\d+:\d+/m
const NAMED_WITHIN_MS = 60_000
const STORED_WITHIN_MS = 60_000
const NEW_WITHIN_MS = 20_000
const POLL_MS = 500

/** `patienceMs`: how long a damage may take until it is named, for judgements that are known
 *  before. */
export type Expected = {
  readonly sent: readonly Sent[]
  readonly secrets: Secrets
  readonly patienceMs?: number
}

type Check = { readonly query: string; readonly differs: string; readonly answer: Answer }

export async function judge(dataDir: string, expected: Expected): Promise<Judgement> {
  const product = await startDamaged(dataDir)
  try {
    if (typeof product.began === 'object') return judgeEnd(product, product.began.ended)
    return await judgeAnswers(product, expected)
  } catch (error) {
    return { outcome: 'unclear', told: `${error}` }
  } finally {
    await product.end()
  }
}

function judgeEnd(product: DamagedProduct, status: number): Judgement {
  const lines = product.output().trim().split('\n')
  const last = lines.findLast((line) => !line.startsWith('{')) ?? ''
  const isClear = status === 1 && ENGINE.test(last) && !STACK.test(product.output())
  return { outcome: isClear ? 'refused' : 'unclear', told: `status ${status}: ${last}` }
}

async function judgeAnswers(product: DamagedProduct, expected: Expected): Promise<Judgement> {
  const { patienceMs = NAMED_WITHIN_MS } = expected
  const asked = { url: product.url, secrets: expected.secrets }
  await untilStored(asked)
  const checks = await checkAll(asked, expected.sent)
  const wrong = checks.filter((it) => it.differs !== '')
  const silent = findSilent(checks)
  if (
    silent &&
    wrong.every((it) => isOfBlock(it, WAITING_ROUND)) &&
    (await isBlockNamed(asked, product.output()))
  )
    return { outcome: 'named', told: `a damaged block: ${silent.differs}` }
  if (silent) {
    const told = `${silent.query}: ${silent.differs}`
    if (!(await isStillSilent(asked, expected.sent, patienceMs))) return { outcome: 'late', told }
    const isHalf = (await namelessIn(product)) === ''
    return { outcome: isHalf ? 'half' : 'silent', told }
  }
  const lost = await unfoundNew(asked, product)
  const told = wrong[0] === undefined ? lost : `${wrong[0].query}: ${wrong[0].differs}`
  if (told === '' && product.began === 'ready') return { outcome: 'right', told: '' }
  // Reading a damaged file fails at once; that it is damaged is known when it was read whole.
  for (const begin = performance.now(); ; await sleep()) {
    const missing = await namelessIn(product)
    if (missing === '') return { outcome: 'named', told: told || (await product.health()) }
    if (performance.now() - begin > NAMED_WITHIN_MS)
      return { outcome: lost === '' ? 'unclear' : 'silent', told: `${told}; ${missing}` }
  }
}

function findSilent(checks: readonly Check[]): Check | undefined {
  return checks.find(
    ({ differs, answer }) =>
      differs !== '' && answer.failure === '' && answer.warnings.length === 0,
  )
}

async function isStillSilent(
  asked: Asked,
  sent: readonly Sent[],
  patienceMs: number,
): Promise<boolean> {
  for (const begin = performance.now(); performance.now() - begin < patienceMs; await sleep())
    if (findSilent(await checkAll(asked, sent)) === undefined) return false
  return true
}

/** What does not name the damage: '' when health and log do. */
async function namelessIn(product: DamagedProduct): Promise<string> {
  const health = await product.health()
  if (!/"damage":|"ready":false/.test(health)) return `health says ${health || 'nothing'}`
  const isLogged = product
    .output()
    .split('\n')
    .some((line) => /"level":"(?:error|warn)"/.test(line) && ENGINE.test(line))
  return isLogged ? '' : 'no line is logged'
}

/** That what is acknowledged now is found; '' when it is, or when it is refused. */
async function unfoundNew(asked: Asked, product: DamagedProduct): Promise<string> {
  const { url, secrets } = asked
  const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}&hostName=new`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"message":"behindthedamage"}',
  })
  const text = await answer.text()
  if (answer.status !== 200)
    return `a new event is answered ${answer.status}: ${text.slice(0, 200)}`
  for (const begin = performance.now(); performance.now() - begin < NEW_WITHIN_MS; await sleep()) {
    const { rows } = await ask(asked, '* in server.new | count')
    if (rows[1]?.[0] === '1') return ''
    if (product.began === 'not ready') break
  }
  return 'a new event was acknowledged and is not found'
}

/** What waited in the event log becomes searchable after the start; a partition that is stopped
 *  never does. */
async function untilStored({ url }: Asked): Promise<void> {
  for (
    const begin = performance.now();
    performance.now() - begin < STORED_WITHIN_MS;
    await sleep()
  ) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const lags = [...text.matchAll(/^logeye_writer_lag_blocks\{[^}]*\} (\d+)$/gm)]
    if (lags.length > 0 && lags.every(([, blocks]) => blocks === '0')) return
  }
}

async function checkAll(asked: Asked, sent: readonly Sent[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const one of sent) {
    const query = `* in server.${hostOf(one)}`
    const answer = await askRaws(asked, query)
    const raws = answer.rows.map(([raw = '']) => raw)
    checks.push({ query, answer, differs: answer.failure || differencesIn(raws, one).join(', ') })
  }
  const texts = sent.flatMap(textsOf)
  const total = countOf(sent)
  const counts: readonly [string, number][] = [
    ['* | count', total],
    ['numbered | count', texts.filter((text) => /\bnumbered\b/.test(text)).length],
    ['level = ERROR | count', texts.filter(isError).length],
    ['* | datastream | group by source', total],
  ]
  for (const [query, count] of counts) {
    const answer = await ask(asked, query)
    const found = sumOf(answer)
    const differs = found === count ? '' : `${found} where ${count} were acknowledged`
    checks.push({ query, answer, differs: answer.failure || differs })
  }
  checks.push(await checkLogs(asked, sent))
  return checks
}

/** With the column `level`; data of CloudEvents has `data.level`. */
function isError(text: string): boolean {
  const event: { readonly level?: unknown } = JSON.parse(text)
  return event.level === 'ERROR'
}

/** Each moment's events lie in its log, and no other log has any: a number that is given twice
 *  shows the events of one as another's. */
async function checkLogs(asked: Asked, sent: readonly Sent[]): Promise<Check> {
  const query = '* | count | group by log'
  const answer = await ask(asked, query)
  const found = new Map(answer.rows.slice(1).map(([log = '', count = '']) => [log, Number(count)]))
  const wanted = new Map<string, number>()
  for (const { round, events } of sent)
    wanted.set(logOf(round), (wanted.get(logOf(round)) ?? 0) + events)
  const wrong = [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((log) => found.get(log) !== wanted.get(log))
    .map((log) => `${log} has ${found.get(log) ?? 0} where ${wanted.get(log) ?? 0} were sent`)
  return { query, answer, differs: answer.failure || wrong.join(', ') }
}

/** Of the column that counts, over all rows. */
function sumOf({ rows }: Answer): number {
  const [head = [], ...lines] = rows
  const at = head.findIndex((name) => name === 'events' || name === 'count')
  return lines.reduce((sum, line) => sum + Number(line[Math.max(0, at)] ?? 0), 0)
}

function sleep(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS))
}
