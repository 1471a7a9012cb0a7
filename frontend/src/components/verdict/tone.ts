import type { Voice } from '@/lib/judge'

/** The colour of a score of 0 to 1; green is for a model that reads. */
export function toneOf(
  value: number,
  good: number,
  fair: number,
  voice: Voice = 'model',
): 'success' | 'neutral' | 'warning' | 'danger' {
  if (value >= good) return voice === 'model' ? 'success' : 'neutral'
  return value >= fair ? 'warning' : 'danger'
}
