import type { ComponentType } from 'preact'
import { useMemo } from 'preact/hooks'
import { address } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { type Asked, useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Awaited } from '../../../shared/waiting/awaited.tsx'
import { UserViewPage } from '../rights/user-view.tsx'
import { MANAGE } from '../texts.ts'
import type { ListedObject } from './listed-object.ts'
import { type ExtrasOf, NO_EXTRAS, type ObjectExtras } from './object-extras.ts'
import { SHOWN_KINDS, type ShownType } from './object-kinds.ts'
import { ObjectList } from './object-list.tsx'
import { ObjectPage, WayBack } from './object-page.tsx'

/** A list of objects of these types, and a page for each object. The address says which:
 *  `type`, `item` (a name), `tab` of its page, `new=1` with `set.<argument>`, `find`. */
export function makeObjectsSection(
  types: readonly ShownType[],
  extras: ExtrasOf = {},
): ComponentType {
  return function ObjectsSection() {
    const { parameters, path } = address.value
    const type = types.find((one) => one === parameters.get('type')) ?? types[0]
    if (type === undefined) return null
    return <ObjectsOfType key={type} type={type} types={types} path={path} extras={extras[type]} />
  }
}

type ObjectsOfTypeProps = {
  readonly type: ShownType
  readonly types: readonly ShownType[]
  readonly path: string
  readonly extras?: ObjectExtras | undefined
}

export function ObjectsOfType({ type, types, path, extras = NO_EXTRAS }: ObjectsOfTypeProps) {
  const { parameters } = address.value
  const asked = useAsked(type, async (signal) => {
    const { objects } = await runCommand('list', { type, details: 'true' }, signal)
    return objects.map(
      ({ name, origin, arguments: given = {}, secrets = [] }): ListedObject => ({
        ...{ name, origin, secrets },
        arguments: given,
      }),
    )
  })
  const kind = SHOWN_KINDS[type]
  const base = useMemo(() => (types.length > 1 ? `${path}?type=${type}` : path), [path, type])
  const item = parameters.get('item')
  const isNew = parameters.get('new') === '1'
  const viewer = type === 'user' ? parameters.get('view') : null
  if (viewer !== null) return <UserViewPage key={viewer} user={viewer} base={base} />
  return (
    <>
      {types.length > 1 && (
        <nav class="manage-types">
          {types.map((one) => (
            <a
              key={one}
              href={`${path}?type=${one}`}
              aria-current={one === type ? 'page' : undefined}
            >
              {MANAGE.types[one].many}
            </a>
          ))}
        </nav>
      )}
      {asked.answer === undefined || isAwaited(asked, item) ? (
        <AwaitedPage {...{ asked, type, base, item, isNew }} />
      ) : (
        <AskedPart asked={asked}>
          {(objects) =>
            isNew || item !== null ? (
              <ObjectPage
                key={isNew ? '' : item}
                kind={kind}
                base={base}
                extras={extras}
                object={isNew ? undefined : objects.find(({ name }) => name === item)}
                isNew={isNew}
                onChanged={asked.again}
              />
            ) : (
              <ObjectList
                kind={kind}
                base={base}
                extras={extras}
                objects={objects}
                onChanged={asked.again}
              />
            )
          }
        </AskedPart>
      )}
    </>
  )
}

type AwaitedPageProps = {
  readonly asked: Asked<readonly ListedObject[]>
  readonly type: ShownType
  readonly base: string
  readonly item: string | null
  readonly isNew: boolean
}

/** The way back and the title stand where they will stand. */
function AwaitedPage({ asked, type, base, item, isNew }: AwaitedPageProps) {
  const { one, many } = MANAGE.types[type]
  const isPage = isNew || item !== null
  const name = isPage ? 'object' : 'objects'
  return (
    <div class={name}>
      {isPage && <WayBack {...{ base, many }} />}
      <div class={`${name}-head`}>
        <h1>{isNew ? MANAGE.form.make(one) : (item ?? many)}</h1>
      </div>
      {asked.answer === undefined ? <AskedPart asked={asked}>{() => null}</AskedPart> : <Awaited />}
    </div>
  )
}

/** One that was just made is not in the list that was read before. */
function isAwaited(
  { answer = [], isBusy }: Asked<readonly ListedObject[]>,
  item: string | null,
): boolean {
  return isBusy && item !== null && !answer.some(({ name }) => name === item)
}
