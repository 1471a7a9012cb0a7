import colours from '@/colours.css?raw'

import dark from './dark.css?raw'
import layout from './verdict.css?inline'

// The pages' own colours. A page around the element can override them from outside.
const LIGHT = colours.slice(colours.indexOf('{'))
const DARK = dark.slice(dark.indexOf('{'))

let shared: CSSStyleSheet | undefined

/** One sheet for all elements of the page. A Content-Security-Policy without inline styles lets it
 * pass, because no text of the document holds it. */
export function styles(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet()
    shared.replaceSync(
      `:host${LIGHT}` +
        `@media (prefers-color-scheme:dark){:host(:not([theme=light]))${DARK}}` +
        `:host([theme=dark])${DARK}` +
        layout,
    )
  }
  return shared
}
