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
  /** Of events that are no matter of concern. */
  readonly calm: Readonly<Record<'info' | 'debug', string>>
  /** From few to many. */
  readonly ramp: readonly string[]
}

/** The first number of a status of 500 and above, and the words that logs have for levels. */
const MEANT: readonly (readonly [RegExp, (colours: ChartColours) => string])[] = [
  [
    /^(?:error|err|fatal|critical|crit|alert|emerg|emergency|panic|severe|5\d\d)$/i,
    levelOf('critical'),
  ],
  [/^(?:warn|warning)$/i, levelOf('warning')],
  [/^(?:debug|trace|verbose|fine)$/i, ({ calm }) => calm.debug],
  [/^(?:info|information|notice)$/i, ({ calm }) => calm.info],
]

/** What is called like a level has its colour wherever it is drawn; undefined: the next one. */
export function meantColour(name: string, colours: ChartColours): string | undefined {
  return MEANT.find(([words]) => words.test(name))?.[1](colours)
}

function levelOf(level: ThresholdLevel) {
  return ({ levels }: ChartColours) => levels[level]
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
    calm: { info: '#8fa0bd', debug: '#cbd2dc' },
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
    calm: { info: '#7d90b0', debug: '#4a5561' },
    ramp: ['#1b2a41', '#27497c', '#3868b0', '#6aa3f0', '#c4dcfb'],
  },
}
