import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { WORKSPACE } from '../texts.ts'
import './page.css'

type PageProps = {
  readonly title: string
  readonly intro?: ComponentChildren
  /** Beside the title. */
  readonly mark?: ComponentChildren
  readonly acts?: ComponentChildren
  /** The page above. */
  readonly back?: { readonly path: string; readonly name: string }
  readonly children: ComponentChildren
}

export function Page({ title, intro, mark, acts, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${WORKSPACE.product}`
  }, [title])
  return (
    <div class="page">
      <header class="page-head">
        {back !== undefined && (
          <div class="page-back">
            <a href={back.path}>← {back.name}</a>
          </div>
        )}
        <div class="grow">
          <div class="page-title">
            <h1>{title}</h1>
            {mark}
          </div>
          {intro !== undefined && <p class="page-intro">{intro}</p>}
        </div>
        {acts !== undefined && <div class="page-acts">{acts}</div>}
      </header>
      {children}
    </div>
  )
}
