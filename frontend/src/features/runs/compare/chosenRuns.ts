/** How many runs are compared at once, the baseline among them; the API takes six beside it. */
export const MAX_RUNS = 7

/** Runs of a comparison by their ids. */
export interface Chosen {
  baseline: string
  others: readonly string[]
}

export function readChosen(search: URLSearchParams): Chosen {
  const baseline = search.get('a') ?? ''
  const others = [...new Set(search.getAll('b'))].filter((id) => id !== '' && id !== baseline)
  return { baseline, others: others.slice(0, MAX_RUNS - 1) }
}

export function compareAddress({ baseline, others }: Chosen): string {
  const search = new URLSearchParams([['a', baseline], ...others.map((id) => ['b', id])])
  return `/runs/compare?${search}`
}

/** The same runs with another of them as the baseline. */
export function withBaseline({ baseline, others }: Chosen, id: string): Chosen {
  return { baseline: id, others: [baseline, ...others.filter((other) => other !== id)] }
}

/** Without the baseline the next of the runs takes its place. */
export function without({ baseline, others }: Chosen, id: string): Chosen {
  if (id !== baseline) return { baseline, others: others.filter((other) => other !== id) }
  const [next = '', ...rest] = others
  return { baseline: next, others: rest }
}
