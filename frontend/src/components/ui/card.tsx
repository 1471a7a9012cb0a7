import { useId, type ComponentProps } from 'react'

import { cn } from '@/lib/cn'

interface CardProps extends ComponentProps<'section'> {
  /** Its heading, and what it is called by. */
  title?: string
}

export function Card({ className, title, children, ...rest }: CardProps) {
  const id = useId()
  return (
    <section
      className={cn('bg-card border-border rounded-lg border p-card shadow-xs', className)}
      {...(title !== undefined && { 'aria-labelledby': id })}
      {...rest}
    >
      {title !== undefined && <CardTitle id={id}>{title}</CardTitle>}
      {children}
    </section>
  )
}

export function CardTitle({ className, children, ...rest }: ComponentProps<'h2'>) {
  return (
    <h2 className={cn('mb-row text-base font-semibold', className)} {...rest}>
      {children}
    </h2>
  )
}
