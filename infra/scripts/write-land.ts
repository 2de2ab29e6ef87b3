// Writes schemas/charts/land.ts: coast lines of the world for maps, from Natural Earth (public
// domain) by the development package world-atlas. Small islands and most points are left out: a map
// of a widget is some hundred pixels wide.
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const STEP = 0.75
const SMALLEST = 12

const topology = z.object({
  arcs: z.array(z.array(z.tuple([z.number(), z.number()]))),
  transform: z.object({
    scale: z.tuple([z.number(), z.number()]),
    translate: z.tuple([z.number(), z.number()]),
  }),
  objects: z.object({
    land: z.object({
      geometries: z.array(z.object({ arcs: z.array(z.array(z.array(z.number()))) })),
    }),
  }),
})

const file = 'node_modules/world-atlas/land-110m.json'
const { arcs, transform, objects } = topology.parse(JSON.parse(readFileSync(file, 'utf8')))

const lines = arcs.map((arc) => {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]): [number, number] => {
    x += dx
    y += dy
    return [
      x * transform.scale[0] + transform.translate[0],
      y * transform.scale[1] + transform.translate[1],
    ]
  })
})

const rings = objects.land.geometries.flatMap((geometry) =>
  geometry.arcs.flatMap((polygon) =>
    polygon.map((ring) =>
      ring.flatMap((at) => (at < 0 ? [...(lines[~at] ?? [])].reverse() : (lines[at] ?? []))),
    ),
  ),
)

const kept = rings
  .map((ring) => {
    const points: [number, number][] = []
    for (const [x, y] of ring) {
      const last = points.at(-1)
      if (last && Math.hypot(x - last[0], y - last[1]) < STEP) continue
      points.push([Math.round(x * 10) / 10, Math.round(y * 10) / 10])
    }
    return points
  })
  .filter((ring) => areaOf(ring) >= SMALLEST && ring.length > 3)

function areaOf(ring: readonly [number, number][]): number {
  let sum = 0
  for (const [at, [x, y]] of ring.entries()) {
    const [nx, ny] = ring[(at + 1) % ring.length] ?? [x, y]
    sum += x * ny - nx * y
  }
  return Math.abs(sum) / 2
}

const texts = kept.map((ring) => `  '${ring.map((point) => point.join(',')).join(' ')}',`)
writeFileSync(
  'schemas/charts/land.ts',
  `// Coast lines of the world, longitude and latitude in degrees; written by
// infra/scripts/write-land.ts from Natural Earth (public domain).

const RINGS = [
${texts.join('\n')}
] as const

type Point = readonly [longitude: number, latitude: number]

/** Closed lines. */
export function readLand(): readonly (readonly Point[])[] {
  return RINGS.map((ring) =>
    ring.split(' ').map((point): Point => {
      const [x = 0, y = 0] = point.split(',').map(Number)
      return [x, y]
    }),
  )
}
`,
)
