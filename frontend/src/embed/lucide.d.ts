// What the modules of single icons export beside the React component.
declare module 'lucide-icon-data' {
  export const __iconData: { node: [tag: string, attributes: Record<string, string>][] }
}
declare module 'lucide-react/icons/clock' {
  export { __iconData } from 'lucide-icon-data'
}
declare module 'lucide-react/icons/cpu' {
  export { __iconData } from 'lucide-icon-data'
}
declare module 'lucide-react/icons/loader-circle' {
  export { __iconData } from 'lucide-icon-data'
}
declare module 'lucide-react/icons/octagon-exclamation-point' {
  export { __iconData } from 'lucide-icon-data'
}
declare module 'lucide-react/icons/ruler' {
  export { __iconData } from 'lucide-icon-data'
}
declare module 'lucide-react/icons/shield-check' {
  export { __iconData } from 'lucide-icon-data'
}
declare module 'lucide-react/icons/triangle-exclamation-point' {
  export { __iconData } from 'lucide-icon-data'
}
declare module 'lucide-react/icons/unplug' {
  export { __iconData } from 'lucide-icon-data'
}
