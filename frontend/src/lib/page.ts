import type { ComponentType } from 'react'

type Exports<Name extends string> = Record<Name, ComponentType>

/** A page of a route by its name, whose code is loaded when it is opened. */
export const page =
  <Name extends string>(load: () => Promise<Exports<Name>>, name: Name) =>
  async () => ({ Component: (await load())[name] })

/** What goes with a navigation to a page. */
export interface PageState {
  /** Leaves the focus where it is. */
  keepFocus?: boolean
}
