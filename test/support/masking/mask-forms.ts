// Values that a policy hides, each in a spelling of its own, and the places of an event in which
// they may be. Every cell has its own value, so that what is shown of it names it.

export type Member = {
  /** JSON text. */
  readonly key: string
  readonly value: string
  /** Texts that nobody sees who has the mask. */
  readonly secrets: readonly string[]
}

type Form = {
  readonly name: string
  readonly mask: string
  /** `id`: below 10,000. */
  readonly member: (id: number) => Member
}

type Place = {
  readonly name: string
  /** Levels of JSON that become columns; default 3. */
  readonly parsingLevel?: 0 | 10
  /** JSON text of the members that the event has beside its number. */
  readonly members: (member: Member, word: string) => string
}

/** No part of another one. */
const word = (id: number) =>
  `zq${[...String(id).padStart(4, '0')].map((digit) => 'bcdfghjklm'.charAt(Number(digit))).join('')}qz`
const digits = (id: number, length: number) => String(id).padStart(4, '0').padStart(length, '7')
const groups = (text: string, by: string) => text.replace(/.{4}(?=.)/g, `$&${by}`)

function found(
  name: string,
  mask: string,
  textOf: (id: number) => string,
  secretsOf: (id: number) => readonly string[] = (id) => [textOf(id)],
): Form {
  return {
    ...{ name, mask },
    member: (id) => ({
      key: '"v"',
      value: textOf(id).startsWith('"') ? textOf(id) : JSON.stringify(textOf(id)),
      secrets: secretsOf(id),
    }),
  }
}

function column(
  name: string,
  key: string,
  spell: (text: string) => string = (text) => JSON.stringify(text),
  mask = 'column pin',
): Form {
  return { name, mask, member: (id) => ({ key, value: spell(word(id)), secrets: [word(id)] }) }
}

const iban = (id: number) => `DE${digits(id, 20)}`
const card = (id: number) => `4${digits(id, 15)}`

export const FORMS: readonly Form[] = [
  found('an address of mail', 'email', (id) => `${word(id)}@example.org`),
  found('in capitals', 'email', (id) => `${word(id).toUpperCase()}@EXAMPLE.ORG`),
  found('with a tag', 'email', (id) => `ann+${word(id)}@example.org`),
  found(
    'in a sentence',
    'email',
    (id) => `of <${word(id)}@example.org>, now`,
    (id) => [word(id)],
  ),
  found(
    'in an address',
    'email',
    (id) => `/a?m=${word(id)}%40example.org`,
    (id) => [word(id)],
  ),
  found(
    'an ASCII escape',
    'email',
    (id) => `"${word(id)}\\u0040example.org"`,
    (id) => [word(id)],
  ),
  found(
    'another escape',
    'email',
    (id) => `"${word(id)}\\u00e9@example.org"`,
    (id) => [word(id)],
  ),
  found(
    'behind a line end',
    'email',
    (id) => `"a\\n${word(id)}@example.org"`,
    (id) => [word(id)],
  ),
  found('a card', 'card', card),
  found('with spaces', 'card', (id) => groups(card(id), ' ')),
  found('with hyphens', 'card', (id) => groups(card(id), '-')),
  found(
    'in prose',
    'card',
    (id) => `by ${card(id)}!`,
    (id) => [card(id)],
  ),
  {
    name: 'a number',
    mask: 'card',
    member: (id) => ({ key: '"v"', value: card(id), secrets: [card(id)] }),
  },
  found(
    'an address of IPv4',
    'ipv4',
    (id) => `10.20.${100 + Math.floor(id / 100)}.${100 + (id % 100)}`,
  ),
  found(
    'with a port',
    'ipv4',
    (id) => `11.20.${100 + Math.floor(id / 100)}.${100 + (id % 100)}:443`,
    (id) => [`11.20.${100 + Math.floor(id / 100)}.${100 + (id % 100)}`],
  ),
  found('an address of IPv6', 'ipv6', (id) => `2001:db8:1:2:3:4:5:${digits(id, 4)}`),
  found('a short one', 'ipv6', (id) => `2001:db8:7::${digits(id, 4)}`),
  found(
    'in brackets',
    'ipv6',
    (id) => `[2001:db8:8::${digits(id, 4)}]:443`,
    (id) => [`2001:db8:8::${digits(id, 4)}`],
  ),
  found(
    'a bearer',
    'bearer',
    (id) => `Authorization: Bearer ${word(id)}`,
    (id) => [word(id)],
  ),
  found(
    'behind a tab',
    'bearer',
    (id) => `"Bearer\\t${word(id)}"`,
    (id) => [word(id)],
  ),
  found(
    'a web token',
    'bearer',
    (id) => `eyJ${word(id)}.${word(id)}.x`,
    (id) => [word(id)],
  ),
  found('an account', 'iban', iban),
  found('in groups', 'iban', (id) => groups(iban(id), ' ')),
  found('in small letters', 'iban', (id) => iban(id).toLowerCase()),
  found(
    'a phone',
    'phone',
    (id) => `+49 30 ${digits(id, 8)}`,
    (id) => [digits(id, 8)],
  ),
  found(
    'by 00',
    'phone',
    (id) => `004930${digits(id, 8)}`,
    (id) => [digits(id, 8)],
  ),
  found('of a country', 'phone', (id) => `(212) 777-${digits(id, 4)}`),
  found(
    'with slashes',
    'phone',
    (id) => `"+49\\/30\\/${digits(id, 8)}"`,
    (id) => [digits(id, 8)],
  ),
  found('of a pattern', 'pattern KD-{digit:6}', (id) => `KD-${digits(id, 6)}`),
  column('a text', '"pin"'),
  column('with quotes', '"pin"', (text) => JSON.stringify(`a "${text}\\" b`)),
  column('a list', '"pin"', (text) => `["a","${text}"]`),
  column('an object', '"pin"', (text) => `{"a":"${text}"}`),
  column('a deeper one', '"pin"', (text) => `{"a":{"b":[{"c":"${text}"}]}}`),
  column('a key in capitals', '"PIN"'),
  column('a key by escapes', '"p\\u0069n"'),
  column('a key with dots', '"a.pin.b"'),
  column('two names', '"user"', (text) => `{"code":"${text}"}`, 'column user.code'),
  column('two names in a list', '"user"', (text) => `[{"code":"${text}"}]`, 'column user.code'),
  column('two names with a dot', '"user.code"', undefined, 'column user.code'),
  column('signs of a list', '"items"', (text) => `[{"nr":"${text}"}]`, 'column items[].nr'),
]

export const MASKS = [...new Set(FORMS.map(({ mask }) => mask))]

const memberOf = ({ key, value }: Member) => `${key}:${value}`
const inObject = (member: Member) => `{${memberOf(member)}}`
const nested = (depth: number, inner: string): string =>
  depth === 0 ? inner : `"l${depth}":{${nested(depth - 1, inner)}}`
const text = (json: string) => JSON.stringify(json)
const message = (it: string) => `"message":"${it}",`

const DEPTHS: readonly Place[] = Array.from({ length: 9 }, (_, depth) => ({
  name: `depth ${depth}`,
  members: (member, plain) => message(plain) + nested(depth, memberOf(member)),
}))

export const PLACES: readonly Place[] = [
  ...DEPTHS,
  {
    name: 'a list of objects',
    members: (it, plain) => `${message(plain)}"rows":[{"b":1},${inObject(it)}]`,
  },
  {
    name: 'a list in a list',
    members: (it, plain) => `${message(plain)}"rows":[[1],[[${inObject(it)}]]]`,
  },
  {
    name: 'a list below the parsing level',
    members: (it, plain) => `${message(plain)}${nested(4, `"rows":[${inObject(it)}]`)}`,
  },
  {
    name: 'a text that holds JSON',
    members: (it, plain) => `${message(plain)}"payload":${text(inObject(it))}`,
  },
  {
    name: 'JSON in a text in a text',
    members: (it, plain) => `${message(plain)}"payload":${text(`{"t":${text(inObject(it))}}`)}`,
  },
  {
    name: 'a text of JSON in a list',
    members: (it, plain) => `${message(plain)}"rows":[${text(inObject(it))}]`,
  },
  {
    name: 'a message of JSON',
    members: (it, plain) => `"message":${text(`${plain} ${inObject(it)}`)}`,
  },
  { name: 'no message', members: (it, plain) => `"whole":"${plain}",${memberOf(it)}` },
  {
    name: 'no levels that are columns',
    parsingLevel: 0,
    members: (it, plain) => `${message(plain)}"a":{"b":[${inObject(it)}]},${memberOf(it)}`,
  },
  {
    name: 'ten levels that are columns',
    parsingLevel: 10,
    members: (it, plain) => `${message(plain)}${nested(6, memberOf(it))}`,
  },
]

export type Cell = {
  readonly name: string
  readonly parsingLevel: number
  readonly event: string
  readonly secrets: readonly string[]
}

/** All forms in all places; each event has the word `plain` and its number `n`. */
export function makeCells(plain: string): readonly Cell[] {
  let id = 0
  return PLACES.flatMap((place) =>
    FORMS.map((form): Cell => {
      id += 1
      const member = form.member(id)
      return {
        name: `${form.mask} ${form.name}, ${place.name}`,
        parsingLevel: place.parsingLevel ?? 3,
        event: `{"n":${id},${place.members(member, plain)}}`,
        secrets: member.secrets,
      }
    }),
  )
}
