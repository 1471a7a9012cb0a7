import { __iconData as clock } from 'lucide-react/icons/clock'
import { __iconData as cpu } from 'lucide-react/icons/cpu'
import { __iconData as loader } from 'lucide-react/icons/loader-circle'
import { __iconData as octagonAlert } from 'lucide-react/icons/octagon-exclamation-point'
import { __iconData as ruler } from 'lucide-react/icons/ruler'
import { __iconData as shieldCheck } from 'lucide-react/icons/shield-check'
import { __iconData as triangleAlert } from 'lucide-react/icons/triangle-exclamation-point'
import { __iconData as unplug } from 'lucide-react/icons/unplug'

const ICONS = {
  'shield-check': shieldCheck,
  'triangle-alert': triangleAlert,
  'octagon-alert': octagonAlert,
  cpu,
  ruler,
  unplug,
  clock,
  loader,
}
const SVG = 'http://www.w3.org/2000/svg'

export type IconName = keyof typeof ICONS

/** An icon of the pages without React. Screen readers skip it. */
export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', name)
  for (const [tag, attributes] of ICONS[name].node) {
    const shape = document.createElementNS(SVG, tag)
    for (const [attribute, value] of Object.entries(attributes)) {
      // React's, not SVG's.
      if (attribute !== 'key') shape.setAttribute(attribute, value)
    }
    svg.append(shape)
  }
  return svg
}
