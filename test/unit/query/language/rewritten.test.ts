// What a warning offers to write instead: always a query, and most often one without that warning.
import { expect, it } from 'vitest'
import { readQuery } from '../../../../query/language/read-query.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const read = (text: string) =>
  readQuery({ text, visibleLogs: SAMPLE_LOGS, columns: SAMPLE_COLUMNS })

it.each([
  ['* | dedup hots', ['* | dedup host']],
  ["level = 'ERROR'", ['level = "ERROR"']],
  ["message like '%timeout%'", ['message contains "timeout"', 'message contains "timeout"']],
  ['message like "time%"', ['message starts with "time"']],
  ['Status is not null', ['Status != null']],
  ['level = ERROR && Status = 404', ['level = ERROR and Status = 404']],
  [
    '_time:5m level:ERROR',
    ['timestamp > now-5m level = ERROR', 'timestamp > now-5m level = ERROR'],
  ],
  ['status:[400 TO 499] error', ['status between 400 and 499 error']],
  ['level:(ERROR OR WARN)', ['level in (ERROR, WARN)']],
  ['-level:DEBUG', ['not level = DEBUG']],
  ['_exists_:User', ['User exists']],
  ['level:ERROR and not host:web*', Array(2).fill('level = ERROR and not host = web*')],
  ['error not msg:*timeout*', ['error not message = *timeout*']],
  ['msg:timeout', ['message contains timeout']],
  ['User Agent:*bot*', ['"User Agent" = *bot*']],
  ['level:~"err.*"', ['level matches "err.*"']],
  ['_msg:~"time.*"', ['message matches "time.*"']],
  ['URL!~"png|jpg"', ['URL not matches "png|jpg"']],
  ['Status:{500 TO *}', ['Status >= 500']],
  ['timestamp > 1795564800', ['timestamp > 1795564800000']],
  ['"10.0.0.*"', ['10.0.0.*']],
  ['Remote IP = "10.0.0.*"', ['Remote IP = 10.0.0.*']],
  ['* | order by Byts', ['* | order by bytes']],
  [
    '* | avg Time Taken group by User | order by Takne',
    ['* | avg Time Taken group by User | order by "avg time taken"'],
  ],
  ['* | where Time Taken > 2*Bytes Sent', [undefined]],
  ['msg contains timeout', ['message contains timeout']],
  ['eventTime > "2023-07-10T12:00:00Z"', ['timestamp > "2023-07-10T12:00:00Z"']],
  ['level = ERROR -Status = 404', ['level = ERROR not Status = 404']],
  ['level = ERROR !Status = 404', ['level = ERROR not Status = 404']],
  ['-level = ERROR', ['not level = ERROR']],
  ['-levle = ERROR', ['not level = ERROR']],
  ['+level = ERROR', ['level = ERROR']],
  ['* | order by -Status', ['* | order by Status desc']],
  ['* | dedup -Status', [undefined]],
  ['host = "web-*"', ['host = web-*']],
  ['User in ("ann", "b*")', ['User in ("ann", b*)']],
  ['message = "two words*"', [undefined]],
  ['message = "a * b"', []],
  ['host = web-*', []],
  ['"refus*"', ['refus*']],
  ['"payment decl*"', [undefined]],
  ['message contains "a*"', []],
  ['Remote IP = 10.0.0.0/8', ['Remote IP within 10.0.0.0/8']],
  ['Remote IP != 10.0.0.0/8', ['Remote IP not within 10.0.0.0/8']],
  ['URL = /a/8', []],
  ['User in [ search Status = 503 | list User ]', ['User in [ Status = 503 | list User ]']],
  ['User in [ Status = 503 ]', ['User in [ Status = 503 | list User ]']],
  ['User in [ search | list User ]', []],
  ['timestamp in [ Status = 503 ]', []],
  ['* | percentile 0.95 Bytes Sent', [undefined]],
  ['* | percentile 95 Bytes Sent', []],
  ['* | where message =~ "x"', ['* | where message matches "x"']],
  ['Bytes Sent > Bytes Received', ['Bytes Sent > column.Bytes Received']],
  ['Status = 404;', ['Status = 404']],
  ['Bytes Sent betwen 1 and 5', ['Bytes Sent between 1 and 5']],
  ['Status in (404, 500) order by timestamp', ['Status in (404, 500) | order by timestamp']],
  ['* | where isnull(User)', ['* | where User = null']],
  ['Level = error or warn in log.orders', ['Level in (error, warn) in log.orders']],
  ['Status != 404 or 500 or 503', ['Status not in (404, 500, 503)']],
  ['Method = "GET" or "POST"', ['Method in ("GET", "POST")']],
  ['URL contains /a or /b', ['URL contains /a or URL contains /b']],
  ['Level = error or Level = warn', []],
  ['(Level = error) or warn', []],
  ['a b or c d', ['(a b) or (c d)']],
  ['(a or b) c or d', ['((a or b) c) or d']],
  ['(a b) or c', []],
  ['payload is null', ['payload = null']],
  ['error since 1h', ['error in last 1 h']],
  ['error for the last 15 minutes', ['error in last 15 minutes']],
  ['timeout last 5 minutes ago', []],
  ['error in access', ['error in log.access']],
  ['error in access slow', [undefined]],
  ['Level in ERROR', ['Level in (ERROR)']],
  ['Status: 404', ['Status = 404']],
  ['Status : 404', ['Status = 404']],
  ['"Bytes Sent":404', ['"Bytes Sent" = 404']],
  ['400 <= Status', ['Status >= 400']],
  ['Status = [400 TO 499]', ['Status between 400 and 499']],
  ['Status = 4xx', ['Status = 4*']],
  ['User = ""', ['User = null']],
  ['message = ".*refused"', ['message matches ".*refused"']],
  ['message = %refused%', ['message contains refused']],
  ['cpu 95%', []],
  ['Logger = com.shop.*', []],
  ['count by host', ['* | count group by host']],
  ['Status > "500ms"', [undefined]],
  ['size > "10KB"', []],
  ['error - timeout', [undefined]],
  ['index=main error', [undefined]],
])('%s', (text, replacements) => {
  const { warnings } = read(text)
  expect(warnings.map(({ replacement }) => replacement)).toEqual(replacements)
  for (const { code, position, replacement } of warnings) {
    if (replacement === undefined) continue
    const after = read(replacement).warnings.filter((one) => one.position === position)
    expect(after.map((one) => one.code)).not.toContain(code)
  }
})

it('does not check a very long query', () => {
  const text = `${'a '.repeat(2100)} level = 'ERROR'`
  expect(read(text).warnings).toEqual([])
  expect(read(text.slice(200)).warnings).toHaveLength(1)
})
