// Places on a map of the world, larger where the number is: equal steps of longitude and latitude.
import { readLand } from '../land.ts'
import { numberOf, readSeries } from '../read-series.ts'
import { type ChartInput, type ChartOption, printer } from './chart-input.ts'

const LATITUDE = ['latitude', 'lat', 'geo latitude']
const LONGITUDE = ['longitude', 'lon', 'lng', 'geo longitude']
/** Without the ice of the south. */
const SOUTH = -58
const NORTH = 84

export function mapOption(input: ChartInput): ChartOption | undefined {
  const places = placesOf(input)
  if (places === undefined) return undefined
  const { colours, width, height, isStill } = input
  const largest = Math.max(...places.map(({ value }) => Math.abs(value)), 1)
  const scale = Math.min((width - 16) / 360, (height - 16) / (NORTH - SOUTH))
  const [wide, high] = [360 * scale, (NORTH - SOUTH) * scale]
  const axis = { type: 'value', show: false }
  const print = printer(input)
  const told = (place: (typeof places)[number] | undefined) =>
    place === undefined ? '' : `${place.name} ${print(place.value)}`.trim()
  return {
    tooltip: { trigger: 'item' },
    grid: {
      ...{ left: (width - wide) / 2, top: (height - high) / 2, width: wide, height: high },
      outerBoundsMode: 'none',
    },
    xAxis: { ...axis, min: -180, max: 180 },
    yAxis: { ...axis, min: SOUTH, max: NORTH },
    series: [
      {
        type: 'lines',
        ...{ coordinateSystem: 'cartesian2d', polyline: true, silent: true, clip: true },
        lineStyle: { color: colours.land, width: 0.8, opacity: 1 },
        data: readLand()
          .flatMap(coastLines)
          .map((coords) => ({ coords })),
      },
      {
        type: 'scatter',
        symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) =>
          4 + 18 * Math.sqrt(Math.abs(places[dataIndex]?.value ?? 0) / largest),
        itemStyle: { color: colours.series[0], opacity: 0.65 },
        // Nobody can point at a place on paper.
        label: {
          show: isStill,
          ...{ distance: 3, fontSize: 8, color: colours.text },
          formatter: ({ dataIndex }: { dataIndex: number }) => told(places[dataIndex]),
        },
        labelLayout: { hideOverlap: true },
        data: places.map(({ longitude, latitude, value, name }) => ({
          name,
          value: [longitude, latitude, value],
          // Towards the middle: no name is cut at the edge.
          label: { position: longitude > 60 ? 'left' : 'right' },
        })),
        tooltip: {
          formatter: ({ dataIndex }: { dataIndex: number }) => told(places[dataIndex]),
        },
      },
    ],
  }
}

/** Parts of a line that lie on the map: not along its edges, not around the back of the world. */
function coastLines(ring: readonly (readonly [number, number])[]) {
  const lines: (readonly [number, number])[][] = [[]]
  for (const point of ring) {
    const [x, y] = point
    const last = lines.at(-1)?.at(-1)
    const isOutside = y < SOUTH || y > NORTH
    if (isOutside || (last && Math.abs(x - last[0]) > 60)) lines.push([])
    if (!isOutside && Math.abs(x) < 179.5) lines.at(-1)?.push(point)
  }
  return lines.filter(({ length }) => length > 1)
}

/** Undefined: the rows have no such columns. */
function placesOf({ rows, options }: ChartInput) {
  const find = (own: string | null, usual: readonly string[]) =>
    rows.columns.findIndex(({ name }) =>
      own === null ? usual.includes(name.toLowerCase()) : name.toLowerCase() === own.toLowerCase(),
    )
  const latitude = find(options.latitude, LATITUDE)
  const longitude = find(options.longitude, LONGITUDE)
  if (latitude < 0 || longitude < 0) return undefined
  const others = rows.columns.map((_, at) => at).filter((at) => at !== latitude && at !== longitude)
  const rest = {
    ...rows,
    columns: others.map((at) => rows.columns[at]).filter((one) => one !== undefined),
    rows: rows.rows.map((row) => others.map((at) => row[at] ?? null)),
  }
  const numbers = rest.columns.findIndex(({ type }) => type === 'number')
  const name = rest.columns.findIndex(({ type }) => type === 'text')
  const series = readSeries(rest, options)
  return rows.rows.flatMap((row, at) => {
    const [lat, lon] = [numberOf(row[latitude]), numberOf(row[longitude])]
    if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180) return []
    const cell = numbers < 0 ? undefined : rest.rows[at]?.[numbers]
    const value = numberOf(cell) ?? (series.series.length > 0 ? 0 : 1)
    return [{ longitude: lon, latitude: lat, value, name: rest.rows[at]?.[name] ?? '' }]
  })
}
