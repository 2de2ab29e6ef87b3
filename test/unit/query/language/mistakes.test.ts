// A query with one typing mistake that still reads: it warns, and offers what was meant. Queries
// beside them that are right do not warn.
import { describe, expect, it } from 'vitest'
import { readQuery } from '../../../../query/language/read-query.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const read = (text: string) =>
  readQuery({ text, visibleLogs: SAMPLE_LOGS, columns: SAMPLE_COLUMNS }).warnings

describe('a part of a test that is missing', () => {
  it.each([
    ['Remote IP 10.2.3.4', 'Remote IP = 10.2.3.4'],
    ['Remote IP GET error', 'Remote IP = GET error'],
    ['User alice', 'User = alice'],
    ['User "a b" in log.access', 'User = "a b" in log.access'],
    ['User not alice', 'User != alice'],
    ['not User alice', 'not User = alice'],
    ['column.host json', 'column.host = json'],
    ['log "ssh auth"', 'log = "ssh auth"'],
    ['message *timeout*', 'message = *timeout*'],
    ['host 10.2.3.4', 'host = 10.2.3.4'],
    ['"process time (ms)" 1e2', '"process time (ms)" = 1e2'],
    ['* | count group by User | where count alice', undefined],
    ['* | where Status', '* | where Status exists'],
    ['* | count if (Bytes Sent)', '* | count if (Bytes Sent exists)'],
    ['* | count | where count', '* | count | where count exists'],
    ['User "a" and "b"', 'User = "a" and "b"'],
    ['URL "/b a"', 'URL = "/b a"'],
    ['size 1kb', 'size = 1kb'],
    ['error apptags Infra refused', 'error apptags = Infra refused'],
    ['Remote IP tn (10.2.3.4)', 'Remote IP in (10.2.3.4)'],
    ['timestamp existn URL = /a', 'timestamp exists URL = /a'],
    ['User = nlul', 'User = null'],
    ['User != nul error', 'User != null error'],
  ])('%s', (text, replacement) => {
    const found = read(text)
    expect(found).toMatchObject([{ code: 'query.searched_word' }])
    if (replacement !== undefined) expect(found).toMatchObject([{ replacement }])
  })

  it.each([
    ['not matches "a+"', "'matches' is searched as a word: a column stands before it"],
    ['* | where not contains alice', "'contains' is searched as a word: a column stands before it"],
    ['contains refused', "'contains' is searched as a word: a column stands before it"],
    ['exists', "'exists' is searched as a word: a column stands before it"],
    ['* in **', "'in' is searched as a word: a scope says what it names"],
    ['* in file.a.log percentile 95', "'a.log percentile 95' is one name: | is missing before"],
    ['starts with /a', "'starts' is searched as a word: a column stands before it"],
    ['within 10.0.0.0/8 error', "'within' is searched as a word: a column stands before it"],
    ['Status = 1 (not in (fatal))', "'in' is searched as a word: a column stands before it"],
    ['* in "ssh auth"', "'in' is searched as a word: a scope says what it names"],
    ['* in acess', "'in' is searched as a word: a scope says what it names"],
    ['Status = 404 in "ssh auth"', "'in' is searched as a word: a scope says what it names"],
  ])('%s tells it', (text, message) => {
    expect(read(text)).toMatchObject([{ message: expect.stringContaining(message) }])
  })
})

describe('a keyword with a mistake in it', () => {
  it.each([
    ['Status = 404 nto in log.access', 'Status = 404 not in log.access'],
    ['error noot in folder.Web', 'error not in folder.Web'],
    ['Status = 404 nxt in log.access', 'Status = 404 not in log.access'],
    ['nto Status = 404', 'not Status = 404'],
    ['error adn refused', 'error and refused'],
    ['(refused) no in log.access', '(refused) not in log.access'],
    ['(a b) Oq error', '(a b) OR error'],
    ['Status = 404 R error', 'Status = 404 OR error'],
    ['NO (refused)', 'NOT (refused)'],
    ['refused in lgo."ssh auth"', 'refused in log."ssh auth"'],
    ['error dedup User', 'error | dedup User'],
    ['error datastream', 'error | datastream'],
    ['NO (Status > 404)', 'NOT (Status > 404)'],
    ['NfT (error refused)', 'NOT (error refused)'],
    ['Status = 404 ic *', 'Status = 404 in *'],
    ['(a or b) display only Status', '(a or b) | display only Status'],
    ['error count if (refused) as Refused', undefined],
    ['error replace "a" with "b" in URL', undefined],
    ['error list Bytes Sent', 'error | list Bytes Sent'],
  ])('%s', (text, replacement) => {
    const found = read(text)
    expect(found).not.toEqual([])
    if (replacement !== undefined) expect(found[0]).toMatchObject({ replacement })
  })

  it.each([
    ['* | display Status as D1 n number format', '* | display Status as D1 in number format'],
    ['* | display Status as D1 in number frmat', '* | display Status as D1 in number format'],
    ['* | display Status as D1 in number', '* | display Status as D1 in number format'],
    [
      '* | count group by User as K2 intrval 1 hour',
      '* | count group by User as K2 interval 1 hour',
    ],
  ])('%s', (text, replacement) => {
    const found = read(text)
    expect(found).toMatchObject([{ code: 'query.long_title' }])
    expect(found).toMatchObject([{ replacement }])
  })

  it('is a comma between columns that are shown', () => {
    expect(read('* | display User as D1 Status as D2')).toMatchObject([
      { message: expect.stringContaining('a comma is missing') },
    ])
  })

  it('is a comma between scopes', () => {
    expect(read('* in file.*.log log.ssh auth')).toMatchObject([
      { replacement: '* in file.*.log, log.ssh auth' },
    ])
  })
})

describe('a query that is right', () => {
  it.each([
    'User Agent',
    'user failed',
    'user "connection refused"',
    'USER failed',
    'Failed password for User root',
    'log rotated',
    'message lost',
    'host unreachable',
    'status ok',
    'file contains virus',
    'failed login in room',
    'error in "payment service"',
    'no route in log.access',
    'windows nt in log.access',
    'NO route',
    'Vitamin O shortage',
    'language R error',
    'On disk error',
    'error (On disk)',
    'USER and ROOT failed',
    'user and root',
    'error ON disk',
    'method full',
    'Method = full',
    'User = "nul"',
    '* | where user',
    '* | where error refused',
    '* | display Status as Growth in time',
    '* | display Status as "D1 in number"',
    '* | count as Hours in service',
    '"exists"',
    'starts at noon',
    'error display',
    'error count',
  ])('%s', (text) => {
    expect(read(text)).toEqual([])
  })
})

describe('and beside or without parentheses', () => {
  it.each([
    ['disk full or timeout', '(disk full) or timeout'],
    ['timeout or disk full', 'timeout or (disk full)'],
    ['Method = GET Status = 500 or refused', '(Method = GET Status = 500) or refused'],
    ['disk and full or timeout', '(disk and full) or timeout'],
    [
      'User = ann and Status = 500 or Status = 503',
      '(User = ann and Status = 500) or Status = 503',
    ],
    ['((disk) and (full) or timeout)', '(((disk) and (full)) or timeout)'],
    ['((disk or full) or timeout refused)', '((disk or full) or (timeout refused))'],
    ['"a)" b or (c) d', '("a)" b) or ((c) d)'],
    ['* | where disk full or timeout', '* | where (disk full) or timeout'],
    [
      '* | where User = ann Status = 500 or Status = 503',
      '* | where (User = ann Status = 500) or Status = 503',
    ],
  ])('%s', (text, replacement) => {
    expect(read(text)).toMatchObject([{ code: 'query.precedence', replacement }])
    expect(read(replacement)).toEqual([])
  })

  it.each([
    // Each side says what the column has.
    'Status = 500 timeout or Status = 503 refused',
    'Method = GET Status = 500 or Method = PUT Status = 503',
    'Status = 500 User = ann or Status = 503',
    'Status = 503 or User = ann Status = 500',
    // AND is written, as in SQL, between conditions that are no alternatives of each other.
    'User = ann and Status = 500 or timeout',
    'Status = 500 or User = ann and timeout',
    // `where` reads AND first in SPL, too.
    '* | where User = ann Status = 500 or Method = GET',
    '* | count if (User = ann Status = 500 or Method = GET)',
    '((disk) and (full)) or timeout',
    '(disk full) or (timeout refused)',
  ])('%s is right', (text) => {
    expect(read(text)).toEqual([])
  })
})

describe('a value alone after or', () => {
  it.each([
    ['Status = 404 or 500', 'Status in (404, 500)'],
    ['Status = 404 or 5xx', 'Status in (404, 5xx)'],
    ['Status != 404 or 5*', 'Status not in (404, 5*)'],
    ['User = "ann lee" or "bob ray"', 'User in ("ann lee", "bob ray")'],
    ['URL = /cart or /pay*', 'URL in (/cart, /pay*)'],
    ['User = ann or b42', 'User in (ann, b42)'],
    ['Remote IP = 10.1.2.3 or 10.1.2.4', 'Remote IP in (10.1.2.3, 10.1.2.4)'],
    ['message matches "^a" or "b+"', 'message matches "^a" or message matches "b+"'],
  ])('%s', (text, replacement) => {
    expect(read(text)).toMatchObject([{ code: 'query.searched_word', replacement }])
  })

  it.each([
    'Status = 404 or refused',
    'Status = 404 or "connection refused"',
    'URL = /cart or timeout',
    'User = ann or /cart/add',
    'User = ann or [ERROR]',
    'User = ann or "connection refused"',
    'User = ann or key:val',
    'size > 1000 or refused',
    'message matches "^GET .*png$" or refused',
    'loading ...',
    'error and ...',
  ])('%s is right', (text) => {
    expect(read(text)).toEqual([])
  })
})
