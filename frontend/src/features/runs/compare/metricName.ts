import type { TFunction } from 'i18next'

/** The name of a compared mean; as the API calls it where we know no better. */
export function metricName(name: string, t: TFunction<'runs'>): string {
  return t(`metrics.${name as 'mrr'}`, { defaultValue: name })
}
