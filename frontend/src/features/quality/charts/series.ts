export interface Series {
  key: string
  label: string
  colour: string
  /** Dashes, so that colour is not all that tells lines apart. */
  dash?: string
  /** Bars with stripes. */
  striped?: boolean
}

/** A day with a value for each series; null where there is none. */
export type Point = Record<string, number | null | string> & { day: string }

export interface DayChartProps {
  /** What a screen reader says of the picture. */
  label: string
  points: Point[]
  series: Series[]
  format: (value: number) => string
  formatDay: (day: string) => string
  /** Where a click on a day leads, or on its bar of a series; undefined for nowhere. */
  to?: (day: string, key?: string) => string | undefined
}

export const COLOURS = [
  'var(--color-primary)',
  'var(--color-warning)',
  'var(--color-success)',
  'var(--color-danger)',
  'var(--color-muted-foreground)',
]

export const AXIS = { stroke: 'var(--color-input)', fontSize: 12, tickLine: false } as const

/** Tooltips get what is drawn as whatever type; ours are numbers. */
export function formatted(format: (value: number) => string) {
  return (value: unknown) => (typeof value === 'number' ? format(value) : '–')
}

/** Recharts draws its own on white. */
export const TOOLTIP = {
  contentStyle: {
    backgroundColor: 'var(--color-card)',
    borderColor: 'var(--color-border)',
    fontSize: 13,
  },
  isAnimationActive: false,
} as const

export const LEGEND = { fontSize: 13 } as const
