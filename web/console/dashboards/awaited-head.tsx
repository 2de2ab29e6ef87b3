import { type Place, placePath } from './place.ts'
import { T } from './texts.ts'
import './awaited-head.css'

/** The title before there is an answer, and where there is none. */
export function AwaitedHead({ place: { app, dashboard } }: { readonly place: Place }) {
  return (
    <div class="boards-head boards-awaited">
      <h1>
        {app === undefined ? (
          T.title
        ) : dashboard === undefined ? (
          <>
            <a href={placePath()}>{T.title}</a> / {app}
          </>
        ) : (
          <>
            <a href={placePath(app)}>{app}</a> / {dashboard}
          </>
        )}
      </h1>
    </div>
  )
}
