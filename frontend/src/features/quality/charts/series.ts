interface Series {
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
  /** Ends of the axis; by what is drawn without them. */
  domain?: [number, number]
  /** Days on which something began, beside the changes of the judge. */
  marks?: { day: string; label: string }[]
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
