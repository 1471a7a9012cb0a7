import { lazy } from 'react'

const lines = () => import('./DayLines')
const bars = () => import('./DayBars')

// Recharts is larger than all the rest of a page, so that it is loaded where charts are shown.
export const DayLines = lazy(async () => ({ default: (await lines()).DayLines }))
export const DayBars = lazy(async () => ({ default: (await bars()).DayBars }))

/** Fetches their code while the rows are being read. */
export function preloadCharts(): void {
  // What fails here is asked for again, and reported, when a chart is drawn.
  void Promise.allSettled([lines(), bars()])
}
