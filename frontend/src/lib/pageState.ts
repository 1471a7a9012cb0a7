/** What goes with a navigation to a page. */
export interface PageState {
  /** Leaves the focus where it is. */
  keepFocus?: boolean
}
