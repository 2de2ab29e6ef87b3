import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, type ButtonProps } from './button.tsx'
import './menu.css'

export type MenuItem = {
  readonly name: string
  readonly onChoose: () => void
  /** Which of several is on. */
  readonly isOn?: boolean
  /** Stands above those that have the same, one after the other. */
  readonly group?: string
}

export type MenuProps = {
  readonly label: ComponentChildren
  /** Read aloud, where the label is a sign. */
  readonly title?: string
  readonly items: readonly MenuItem[]
  readonly look?: ButtonProps['look']
  readonly class?: string
}

/** A button that opens a list of acts: arrows, Home, End, Enter and Escape, in the top layer. */
export function Menu({ label, title, items, look = 'plain', class: name }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLSpanElement>(null)
  const id = useId()
  const close = () => {
    setOpen(false)
    button.current?.querySelector('button')?.focus()
  }
  return (
    <span class="menu" ref={button}>
      <Button
        look={look}
        class={name ?? ''}
        aria-label={title}
        title={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={(event) => {
          event.stopPropagation()
          setOpen(!isOpen)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {label}
      </Button>
      {isOpen && <MenuList id={id} items={items} at={button.current} onClose={close} />}
    </span>
  )
}

type ListProps = {
  readonly id?: string
  readonly items: readonly MenuItem[]
  /** It opens below this. */
  readonly at: Element | null
  readonly onClose: () => void
}

export function MenuList({ id, items, at, onClose }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  // Before the next key: an arrow that came before the focus would go to the button.
  useLayoutEffect(() => {
    const shown = list.current
    if (shown === null) return
    shown.showPopover()
    place(shown, at)
    shown.querySelector('button')?.focus()
  }, [at])
  return (
    <div
      ref={list}
      id={id}
      class="menu-list"
      role="menu"
      tabIndex={-1}
      popover="auto"
      onToggle={(event) => {
        if (event.newState === 'closed') onClose()
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (move(event.currentTarget, event.key)) event.preventDefault()
        if (event.key === 'Tab') onClose()
      }}
    >
      {groupsOf(items).map(({ group, items: own }) =>
        group === undefined ? (
          own.map((item) => <Item key={item.name} item={item} onClose={onClose} />)
        ) : (
          <div key={group} role="group" aria-label={group}>
            <div class="menu-group" aria-hidden="true">
              {group}
            </div>
            {own.map((item) => (
              <Item key={item.name} item={item} onClose={onClose} />
            ))}
          </div>
        ),
      )}
    </div>
  )
}

type ItemProps = { readonly item: MenuItem; readonly onClose: () => void }

function Item({ item: { name, onChoose, isOn }, onClose }: ItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={isOn ? 'menu-item menu-item-on' : 'menu-item'}
      onClick={(event) => {
        event.stopPropagation()
        onClose()
        onChoose()
      }}
    >
      {name}
    </button>
  )
}

type Group = { readonly group: string | undefined; readonly items: MenuItem[] }

function groupsOf(items: readonly MenuItem[]): readonly Group[] {
  const groups: Group[] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last !== undefined && last.group === item.group) last.items.push(item)
    else groups.push({ group: item.group, items: [item] })
  }
  return groups
}

/** Below, or above where there is no room. */
export function place(shown: HTMLElement, at: Element | null): void {
  const box = (at?.firstElementChild ?? at)?.getBoundingClientRect()
  if (box === undefined) return
  const { offsetWidth: width, offsetHeight: height } = shown
  const below = box.bottom + 3
  const top = below + height > innerHeight ? Math.max(4, box.top - height - 3) : below
  shown.style.top = `${top}px`
  shown.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 8))}px`
}

function move(list: HTMLElement, key: string): boolean {
  const items = [...list.querySelectorAll('button')]
  const now = items.findIndex((item) => item.matches(':focus'))
  const last = items.length - 1
  const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: last }[key]
  if (next === undefined) return false
  items[next > last ? 0 : next < 0 ? last : next]?.focus()
  return true
}
