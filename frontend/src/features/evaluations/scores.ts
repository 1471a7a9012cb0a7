/** A score of 0 to 1 as the language writes it; a dash where there is none. */
export function percent(value: number | null | undefined, language: string): string {
  if (value === null || value === undefined) return '–'
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(
    value,
  )
}

export function moment(value: string, language: string, timeStyle: 'short' | 'medium' = 'medium') {
  return new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle }).format(
    new Date(value),
  )
}
