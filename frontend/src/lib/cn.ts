import { clsx, type ClassValue } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// The names of tokens.css.
const twMerge = extendTailwindMerge({
  extend: { theme: { spacing: ['cell', 'row', 'card', 'section', 'page'] } },
})

/** Class names put together; of two Tailwind classes for the same property the later one stays. */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes))
}
