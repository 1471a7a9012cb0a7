/** The colour of a score of 0 to 1. */
export function toneOf(
  value: number,
  good: number,
  fair: number,
): 'success' | 'warning' | 'danger' {
  if (value >= good) return 'success'
  return value >= fair ? 'warning' : 'danger'
}
