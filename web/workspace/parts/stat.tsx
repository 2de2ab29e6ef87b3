import type { ComponentChildren } from 'preact'
import './stat.css'

/** A figure with what it is above it, and what it means below. */
export function Stat({
  label,
  value,
  children,
}: {
  readonly label: string
  readonly value: ComponentChildren
  readonly children?: ComponentChildren
}) {
  return (
    <div class="stat">
      <p class="stat-label">{label}</p>
      <p class="stat-value">{value}</p>
      {children !== undefined && <p class="stat-help">{children}</p>}
    </div>
  )
}
