import { VerdictElement } from './VerdictElement'

// A page may load the script twice.
if (!customElements.get('searchqa-verdict')) {
  customElements.define('searchqa-verdict', VerdictElement)
}
