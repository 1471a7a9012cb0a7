import colours from '@/colours.css?raw'

import layout from './verdict.css?inline'

// The pages' own colours. A page around the element can override them from outside.
const COLOURS = colours.slice(colours.indexOf('{'))

let shared: CSSStyleSheet | undefined

/** One sheet for all elements of the page. A Content-Security-Policy without inline styles lets it
 * pass, because no text of the document holds it. */
export function styles(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet()
    shared.replaceSync(`:host${COLOURS}${layout}`)
  }
  return shared
}
