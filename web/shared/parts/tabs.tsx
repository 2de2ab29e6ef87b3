import './tabs.css'

export type TabsProps<Name extends string> = {
  readonly label: string
  readonly tabs: readonly { readonly name: Name; readonly text: string }[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** The chosen one is in the order of Tab; arrows go to the others. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  const now = tabs.findIndex(({ name }) => name === chosen)
  const step = (by: number, list: HTMLElement) => {
    const at = (now + by + tabs.length) % tabs.length
    const next = tabs[at]
    if (next === undefined) return
    onChoose(next.name)
    list.querySelectorAll('button')[at]?.focus()
  }
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') step(1, event.currentTarget)
        else if (event.key === 'ArrowLeft') step(-1, event.currentTarget)
        else return
        event.stopPropagation()
      }}
    >
      {tabs.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          role="tab"
          class="tab"
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
