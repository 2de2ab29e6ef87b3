import type { ComponentChildren } from 'preact'

type SectionProps = {
  readonly title: string
  readonly intro?: string
  readonly acts?: ComponentChildren
  readonly children: ComponentChildren
}

/** A section that is no list of objects. */
export function Section({ title, intro, acts, children }: SectionProps) {
  return (
    <div class="objects">
      <div class="objects-head">
        <h1>{title}</h1>
        <span class="grow" />
        {acts}
      </div>
      {intro !== undefined && <p class="objects-intro">{intro}</p>}
      {children}
    </div>
  )
}
