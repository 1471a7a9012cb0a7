import type { ComponentProps } from 'react'

import { cn } from '@/lib/cn'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      className={cn('bg-card border-border rounded-lg border p-4 shadow-xs', className)}
      {...rest}
    />
  )
}

export function CardTitle({ className, children, ...rest }: ComponentProps<'h2'>) {
  return (
    <h2 className={cn('mb-3 text-base font-semibold', className)} {...rest}>
      {children}
    </h2>
  )
}
