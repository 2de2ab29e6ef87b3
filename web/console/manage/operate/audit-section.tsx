import { address, BASE, changeParameters } from '../../../shared/address.ts'
import { searchEvents } from '../../../shared/api/search.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Moment } from '../parts/moment.tsx'
import { Section } from '../parts/section.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { actionWords } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'
import { auditQuery, deedOf, isBareLook } from './audit-query.ts'

const T = MANAGE.audit
const INTERVAL = 'last14Days'
const NEWEST = 200
/** In the address. */
const LOOKS = 'looks'

/** The newest entries; all of them are a search away. */
export function AuditSection() {
  const { parameters } = address.value
  const find = parameters.get('find') ?? ''
  const hasLooks = parameters.get(LOOKS) === '1'
  const query = auditQuery(hasLooks)
  const asked = useAsked(`audit ${hasLooks}`, (signal) =>
    searchEvents({ query, interval: INTERVAL, limit: NEWEST }, signal),
  )
  const all = new URLSearchParams({ query, interval: INTERVAL })
  return (
    <Section
      title={MANAGE.pages.audit}
      intro={T.intro}
      acts={
        <>
          <label class="flag objects-looks">
            <input
              type="checkbox"
              checked={hasLooks}
              onChange={(event) => {
                const looks = event.currentTarget.checked ? '1' : ''
                changeParameters({ [LOOKS]: looks })
              }}
            />
            {T.looks}
          </label>
          <input
            class="input objects-find"
            type="search"
            placeholder={T.find}
            aria-label={T.find}
            value={find}
            onInput={(event) =>
              changeParameters({ find: event.currentTarget.value }, { isNew: false })
            }
          />
          <a class="button button-bordered" href={`${BASE}/?${all}`}>
            {T.all}
          </a>
        </>
      }
    >
      <AskedPart asked={asked}>
        {({ data }) => {
          const rows = data
            .filter(({ columns }) => hasLooks || !isBareLook(columns))
            .map(({ id, timestamp, columns }) => ({ id, timestamp, ...describe(columns) }))
            .filter((row) => JSON.stringify(row).toLowerCase().includes(find.toLowerCase()))
          return rows.length === 0 ? (
            <p class="objects-none">{find === '' ? T.none : MANAGE.list.nothingFound(find)}</p>
          ) : (
            <TableBox label={MANAGE.pages.audit}>
              <thead>
                <tr>
                  <th>{T.time}</th>
                  <th>{T.user}</th>
                  <th>{T.action}</th>
                  <th>{T.target}</th>
                  <th>{T.result}</th>
                  <th>{T.address}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ id, timestamp, user, action, words, target, result, from }) => (
                  <tr key={id}>
                    <td>
                      <Moment iso={timestamp} />
                    </td>
                    <td>{user}</td>
                    <td title={action}>{words}</td>
                    <td class="objects-wide">{target}</td>
                    <td class={result === 'done' ? 'soft' : 'audit-refused'}>{result}</td>
                    <td class="soft">{from}</td>
                  </tr>
                ))}
              </tbody>
            </TableBox>
          )
        }}
      </AskedPart>
    </Section>
  )
}

function describe(columns: Readonly<Record<string, unknown>>) {
  const text = (name: string) => {
    const value = columns[name]
    return value === undefined || value === null ? '' : String(value)
  }
  return {
    user: text('user'),
    action: text('action'),
    words: actionWords(text('action'), deedOf(columns)),
    target: text('object') || text('details.query'),
    result: text('result'),
    from: text('address'),
  }
}
