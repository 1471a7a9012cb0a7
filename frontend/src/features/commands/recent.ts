/** A page that was opened by the palette: its path below /ui and its name. */
interface Visit {
  to: string
  text: string
}

// Kept for the tab only: questions and titles are private, and another person may use the browser.
const KEY = 'searchqa.recent'
const KEPT = 5

/** The latest first. What is stored in another form counts as nothing. */
export function recentVisits(): Visit[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isVisit) : []
  } catch {
    return []
  }
}

export function addVisit(visit: Visit): void {
  const others = recentVisits().filter(({ to }) => to !== visit.to)
  sessionStorage.setItem(KEY, JSON.stringify([visit, ...others].slice(0, KEPT)))
}

function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false
  const { to, text } = value as Partial<Visit>
  return typeof to === 'string' && to.startsWith('/') && typeof text === 'string'
}
