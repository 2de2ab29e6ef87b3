// The chart of an alert's mail: how many events came when, by the same definition as charts of
// dashboards. Nothing of an event is in it but counts.
import { renderPng } from '../../../infra/charts/render-png.ts'
import { loadRenderer } from '../../../infra/charts/render-svg.ts'
import { chartOption } from '../../../schemas/charts/chart-option.ts'
import { DEFAULT_OPTIONS } from '../../../schemas/dashboards/widget.ts'
import type { AlertPicture } from '../../../schemas/monitors/notice.ts'
import { PICTURE_SIZE } from './picture-size.ts'

/** Of a letter at a size of 1, about. */
const LETTER = 0.56

/** PNG. */
export async function makePicture(picture: AlertPicture): Promise<Uint8Array> {
  const { fromMs, stepMs, counts, timeZone } = picture
  const measure = (text: string) => text.length * LETTER
  const times = counts.map((_, at) => fromMs + at * stepMs)
  const option = chartOption({
    widget: { type: 'column', options: { ...DEFAULT_OPTIONS, legend: 'none' } },
    rows: {
      columns: [
        { name: 'time', type: 'time', times },
        { name: 'events', type: 'number' },
      ],
      rows: counts.map((count, at) => [String(times[at]), String(count)]),
      hasMore: false,
    },
    ...{ theme: 'light', ...PICTURE_SIZE, timeZone, fontFamily: 'Inter' },
    ...{ measure, isStill: true },
  })
  const render = await loadRenderer(measure)
  return await renderPng(render(option ?? {}, PICTURE_SIZE))
}
