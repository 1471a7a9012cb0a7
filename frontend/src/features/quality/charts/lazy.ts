import { lazy } from 'react'

// Recharts is larger than all the rest of a page, so that it is loaded where a chart is shown.
export const DayLines = lazy(async () => ({ default: (await import('./DayLines')).DayLines }))
export const DayBars = lazy(async () => ({ default: (await import('./DayBars')).DayBars }))
