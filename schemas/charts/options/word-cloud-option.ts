// Words in a size that their number gives, laid out from the middle in a spiral: the same words lie
// at the same places.
import { readSeries } from '../read-series.ts'
import { type ChartInput, type ChartOption, cut, moreOf, NOTE_ROW, noteOf } from './chart-input.ts'
import { countNegative, negativeNote } from './part-options.ts'

const MAX_WORDS = 60
const SMALLEST = 10
const LARGEST = 40
/** Of the size of the type. */
const LINE = 1.15
const TURNS = 900
/** Of the area: a spiral leaves gaps. */
const FILLED = 0.4

type Box = { readonly x: number; readonly y: number; readonly wide: number; readonly high: number }

export function wordCloudOption(input: ChartInput): ChartOption | undefined {
  const data = readSeries(input.rows, input.options)
  const { categories, series } = data
  const all = categories
    .map((name, at) => ({
      text: cut(name, 24),
      value: series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
    }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .map((word) => ({ ...word, unit: Math.max(0.1, input.measure(word.text)) }))
  const words = all.slice(0, MAX_WORDS)
  if (words.length === 0) return undefined
  const negative = negativeNote(countNegative(data))
  const whole = negative === '' ? placeWords(words, input) : []
  if (whole.length === all.length) return { graphic: { elements: whole } }
  // The last line says what has no room.
  const placed = placeWords(words, { ...input, height: Math.max(1, input.height - NOTE_ROW) })
  const note = noteOf([moreOf(all.length - placed.length), negative], input)
  return { graphic: { elements: [...placed, ...note] } }
}

type Word = { readonly text: string; readonly value: number; readonly unit: number }

function placeWords(words: readonly Word[], { width, height, colours }: ChartInput) {
  const most = Math.sqrt(words[0]?.value ?? 1)
  const least = Math.sqrt(words.at(-1)?.value ?? 1)
  const sizeOf = (value: number, largest: number) => {
    const part = most === least ? 0.5 : (Math.sqrt(value) - least) / (most - least)
    return SMALLEST + part * (largest - SMALLEST)
  }
  const areaOf = (largest: number) =>
    words.reduce((sum, { unit, value }) => {
      const size = sizeOf(value, largest)
      return sum + unit * size * size * LINE
    }, 0)
  let largest = Math.min(LARGEST, height / 5)
  while (largest > SMALLEST + 1 && areaOf(largest) > width * height * FILLED) largest -= 1
  const placed: Box[] = []
  return words.flatMap(({ text, unit, value }, at) => {
    const fits = (width * 0.9) / unit
    const size = Math.min(sizeOf(value, largest), fits)
    const wanted = { wide: unit * size, high: size * LINE }
    const box = findPlace(wanted, placed, { width, height })
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
}

/** Undefined: there is no room left. */
function findPlace(
  { wide, high }: Pick<Box, 'wide' | 'high'>,
  placed: readonly Box[],
  { width, height }: Pick<ChartInput, 'width' | 'height'>,
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
