// Words in a size that their number gives, laid out from the middle in a spiral: the same words lie
// at the same places.
import { readSeries } from '../read-series.ts'
import { type ChartInput, type ChartOption, cut } from './chart-input.ts'

const MAX_WORDS = 60
const SMALLEST = 10
const LARGEST = 40
/** Of the size of the type. */
const LETTER = 0.6
const LINE = 1.15
const TURNS = 900
/** Of the area: a spiral leaves gaps. */
const FILLED = 0.4

type Box = { readonly x: number; readonly y: number; readonly wide: number; readonly high: number }

export function wordCloudOption(input: ChartInput): ChartOption | undefined {
  const { categories, series } = readSeries(input.rows, input.options)
  const words = categories
    .map((name, at) => ({
      text: cut(name, 24),
      value: series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
    }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_WORDS)
  if (words.length === 0) return undefined
  const { width, height, colours } = input
  const most = Math.sqrt(words[0]?.value ?? 1)
  const least = Math.sqrt(words.at(-1)?.value ?? 1)
  const sizeOf = (value: number, largest: number) => {
    const part = most === least ? 0.5 : (Math.sqrt(value) - least) / (most - least)
    return SMALLEST + part * (largest - SMALLEST)
  }
  const areaOf = (largest: number) =>
    words.reduce((sum, { text, value }) => {
      const size = sizeOf(value, largest)
      return sum + [...text].length * size * LETTER * size * LINE
    }, 0)
  let largest = Math.min(LARGEST, height / 5)
  while (largest > SMALLEST + 1 && areaOf(largest) > width * height * FILLED) largest -= 1
  const placed: Box[] = []
  const elements = words.flatMap(({ text, value }, at) => {
    const fits = (width * 0.9) / ([...text].length * LETTER)
    const size = Math.min(sizeOf(value, largest), fits)
    const box = findPlace(
      { wide: [...text].length * size * LETTER, high: size * LINE },
      placed,
      input,
    )
    if (box === undefined) return []
    placed.push(box)
    return [
      {
        type: 'text',
        ...{ x: box.x, y: box.y, silent: true },
        style: {
          ...{
            text,
            fontSize: Math.round(size * 10) / 10,
            align: 'center',
            verticalAlign: 'middle',
          },
          fill: colours.series[at % colours.series.length],
        },
      },
    ]
  })
  return { graphic: { elements } }
}

/** Undefined: there is no room left. */
function findPlace(
  { wide, high }: Pick<Box, 'wide' | 'high'>,
  placed: readonly Box[],
  { width, height }: ChartInput,
): Box | undefined {
  for (let turn = 0; turn < TURNS; turn++) {
    const angle = turn * 0.35
    const away = turn / TURNS
    const x = width / 2 + Math.cos(angle) * away * width * 0.5
    const y = height / 2 + Math.sin(angle) * away * height * 0.5
    const box = { x, y, wide, high }
    const isInside =
      x - wide / 2 >= 2 &&
      x + wide / 2 <= width - 2 &&
      y - high / 2 >= 2 &&
      y + high / 2 <= height - 2
    if (isInside && !placed.some((other) => meet(box, other))) return box
  }
  return undefined
}

function meet(a: Box, b: Box): boolean {
  return (
    Math.abs(a.x - b.x) * 2 < a.wide + b.wide + 6 && Math.abs(a.y - b.y) * 2 < a.high + b.high + 2
  )
}
