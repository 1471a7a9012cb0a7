import type { ComponentProps } from 'react'

import { cn } from '@/lib/cn'

/** Scrolls sideways in itself, so that the page does not. */
export function Table({ className, 'aria-label': label, ...rest }: ComponentProps<'table'>) {
  return (
    // The keyboard must reach what only scrolling shows.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="relative overflow-x-auto" tabIndex={0} role="group" aria-label={label}>
      <table className={cn('w-full text-left text-sm', className)} {...rest} />
    </div>
  )
}

export function Th({ className, scope = 'col', ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope={scope}
      className={cn(
        'text-muted-foreground border-border border-b px-row py-cell font-medium',
        className,
      )}
      {...rest}
    />
  )
}

export function Td({ className, ...rest }: ComponentProps<'td'>) {
  return (
    <td className={cn('border-border border-b px-row py-cell align-top', className)} {...rest} />
  )
}
