import { useEffect, useState } from 'preact/hooks'
import type { ChartTheme } from '../../../../schemas/charts/chart-colours.ts'
import { theme } from '../../../shared/settings.ts'

/** Charts are drawn, so they have to know which colours the page has. */
export function useChartTheme(): ChartTheme {
  const [isDark, setDark] = useState(() => darkSystem().matches)
  useEffect(() => {
    const system = darkSystem()
    const hear = () => setDark(system.matches)
    system.addEventListener('change', hear)
    return () => system.removeEventListener('change', hear)
  }, [])
  return theme.value === 'system' ? (isDark ? 'dark' : 'light') : theme.value
}

function darkSystem(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}
