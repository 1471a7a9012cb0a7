import type { Order, SavedView, Shown } from '../api/views'
import { FILTERS, OF_CRITERION, queryOf, REPLACED_TOO } from '../filters'
import { isColumn, written } from '../table/columns'

type Changes = Record<string, string | undefined>

/** What an address shows, as a view keeps it: `current` as the API has it. */
export function shownBy(params: URLSearchParams): Shown {
  const valueOf = (name: (typeof FILTERS)[number]) => {
    const value = params.get(name)
    if (name !== 'current') return value
    return value === REPLACED_TOO ? null : (value ?? 'true')
  }
  const filters = FILTERS.map((name) => [name, valueOf(name)]).filter(([, value]) => value)
  return {
    filters: Object.fromEntries(filters) as Shown['filters'],
    order: orderOf(params.get('order')),
    columns: params.get('columns')?.split(',') ?? null,
  }
}

interface OpenedView {
  /** The address of the list as the view shows it. */
  changes: Changes
  /** What the view has and this release does not know: `name=value`. */
  leftOut: string[]
}

/** A view as this release can show it. One of another release may have more. */
export function openedAs(view: SavedView): OpenedView {
  const filters = Object.entries(view.filters)
  const understood = filters.filter(([name, value]) => isUnderstood(name, value))
  const order = orderOf(view.order)
  const columns = view.columns?.filter(isColumn)
  return {
    changes: {
      ...withoutView(),
      current: REPLACED_TOO,
      ...Object.fromEntries(understood),
      view: view.id,
      order: order === 'newest' ? undefined : order,
      columns: columns && written(columns),
    },
    leftOut: [
      ...filters.filter((each) => !understood.includes(each)).map((each) => each.join('=')),
      ...(order === view.order ? [] : [`order=${view.order}`]),
      ...(view.columns ?? []).filter((name) => !isColumn(name) && name !== 'none'),
    ],
  }
}

/** The address of the list without any view, filter and order. */
export function withoutView(): Changes {
  const names = [...FILTERS, 'view', 'order', 'columns']
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

/** Whether the address shows something else than the view. */
export function isChanged(params: URLSearchParams, view: SavedView): boolean {
  return JSON.stringify(shownBy(params)) !== JSON.stringify(shownBy(addressOf(view)))
}

export function addressOf(view: SavedView): URLSearchParams {
  const given = Object.entries(openedAs(view).changes).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given as [string, string][])
}

/** Whether an address has nothing but the view, as its link has. */
export function isLink(params: URLSearchParams): boolean {
  return ![...FILTERS, 'order', 'columns'].some((name) => params.get(name))
}

function isUnderstood(name: string, value: string): boolean {
  // These say something only beside a day, or a criterion.
  if (name === 'tz' || OF_CRITERION.some((each) => each === name)) return true
  const query = queryOf(new URLSearchParams({ [name]: value }))
  return (FILTERS as readonly string[]).includes(name) && Object.keys(query).length > 0
}

/** The order that the list has for it. */
function orderOf(name: string | null): Order {
  return queryOf(new URLSearchParams({ order: name ?? '' })).order ?? 'newest'
}
