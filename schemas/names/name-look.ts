// What a name looks like, so that nobody makes a second `admin` with a Cyrillic letter (UTS 39;
// docs/decisions/0024). Pure.
import { CONFUSABLES } from './confusables.ts'

/** Format and control characters, private and unassigned ones, blanks but the space, and letters
 *  that show nothing. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}/u
/** Capitals that have no small letter of their own, such as bold ones. */
const UNFOLDED = /\p{Lu}/u
const ONLY_UNSEEN = /\p{DI}/gu
const WORD = /[\p{L}\p{M}]+/gu
/** Characters that belong to no script, or to any. */
const NEUTRAL = /[\p{Script=Common}\p{Script=Inherited}]/gu

/** UTS 39, highly restrictive: one script, or one of the three sets in which East Asia writes, each
 *  beside Latin. */
const SETS = [
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]*$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Bopomofo}]*$/u,
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hangul}]*$/u,
]
/** Scripts with letters that pass for those of another, or of which names are often. Any other may
 *  stand with none of these. */
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Ethiopic',
  'Cherokee',
  'Coptic',
  'Han',
  'Hangul',
  'Hiragana',
  'Katakana',
].map((script) => new RegExp(`\\p{scx=${script}}`, 'u'))

const looks = readLooks()

/** The same for two names that look alike; of names as they are compared (folded). */
export function skeletonOf(folded: string): string {
  const shown = [...folded.normalize('NFD').replace(ONLY_UNSEEN, '')]
  return shown.map(lookOf).join('').normalize('NFD')
}

/** The table leaves out most of what is a form of another character, such as wide, circled and
 *  raised letters. */
function lookOf(character: string): string {
  const look = looks.get(character)
  if (look !== undefined && !UNFOLDED.test(character)) return look
  const plain = character.normalize('NFKD').toLowerCase()
  if (plain === character) return look ?? character
  return [...plain].map((it) => looks.get(it) ?? it).join('')
}

/** Why a new name is refused for its characters; undefined: it is not. */
export function refuseCharacters(name: string): string | undefined {
  if (UNSEEN.test(name)) return 'must hold no character that cannot be seen'
  const mixed = name.match(WORD)?.find(isMixed)
  return mixed === undefined ? undefined : 'must not mix letters of several scripts in one word'
}

function isMixed(word: string): boolean {
  const letters = word.replace(NEUTRAL, '')
  if (SETS.some((set) => set.test(letters))) return false
  const [first] = letters
  const own = SCRIPTS.filter((script) => first !== undefined && script.test(first))
  const isOneOfThese = own.some((script) => [...letters].every((it) => script.test(it)))
  const isOther = own.length === 0 && ![...letters].some((it) => SCRIPTS.some((s) => s.test(it)))
  return !isOneOfThese && !isOther
}

function readLooks(): Map<string, string> {
  const found = new Map<string, string>()
  for (const group of CONFUSABLES.split(';')) {
    const [target = '', sources = ''] = group.split('=')
    const shown = target.split('+').map(fromHex).join('')
    for (const source of sources.split(' ')) found.set(fromHex(source), shown)
  }
  return found
}

function fromHex(point: string): string {
  return String.fromCodePoint(Number.parseInt(point, 16))
}
