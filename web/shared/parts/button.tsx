import type { ComponentChildren, JSX } from 'preact'
import './button.css'

export type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class' | 'type' | 'icon'> & {
  readonly children?: ComponentChildren
  /** `plain` is quiet: chrome beside events; `danger` takes away what does not come back. */
  readonly look?: 'main' | 'danger' | 'plain' | 'bordered'
  readonly isOn?: boolean | undefined
  readonly type?: 'button' | 'submit'
  readonly class?: string
}

export function Button({ look = 'bordered', isOn, type = 'button', ...rest }: ButtonProps) {
  const name = `button button-${look}${isOn ? ' button-on' : ''} ${rest.class ?? ''}`
  return <button {...rest} type={type} class={name} aria-pressed={isOn} />
}
