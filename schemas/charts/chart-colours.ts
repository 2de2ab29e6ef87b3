// Colours of charts, in the browser and in documents: few, told apart also by those who see red and
// green alike, and readable on the ground of their theme.
import type { ThresholdLevel } from '../dashboards/widget.ts'

export type ChartTheme = 'light' | 'dark'

export type ChartColours = {
  readonly ground: string
  readonly text: string
  readonly quiet: string
  readonly line: string
  readonly land: string
  /** In this order. */
  readonly series: readonly string[]
  readonly levels: Readonly<Record<ThresholdLevel, string>>
  /** From few to many. */
  readonly ramp: readonly string[]
}

export const CHART_COLOURS: Readonly<Record<ChartTheme, ChartColours>> = {
  light: {
    ground: '#ffffff',
    text: '#1f2933',
    quiet: '#5b6673',
    line: '#d5dae0',
    land: '#c3cad3',
    series: [
      ...['#2f6fd0', '#d97a1c', '#178a7a', '#8a55c2', '#c2406a', '#6b7a1f'],
      ...['#3aa0c9', '#8a6a4a', '#4b5fa8', '#b09a12'],
    ],
    levels: { good: '#2e8b57', warning: '#c77f0a', critical: '#c62f35' },
    ramp: ['#eaf1fb', '#a9c6ef', '#5f95de', '#2f6fd0', '#173f80'],
  },
  dark: {
    ground: '#14181d',
    text: '#e4e8ed',
    quiet: '#9aa5b1',
    line: '#333b45',
    land: '#4a5561',
    series: [
      ...['#6aa3f0', '#f0a050', '#4fc2ae', '#b48ae6', '#ea7d9f', '#b3c45a'],
      ...['#6fc6e8', '#c4a27e', '#8c9ee0', '#e0cc55'],
    ],
    levels: { good: '#5cc48b', warning: '#f0b24a', critical: '#f2757a' },
    ramp: ['#1b2a41', '#27497c', '#3868b0', '#6aa3f0', '#c4dcfb'],
  },
}
