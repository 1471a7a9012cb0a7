import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'

import { cn } from '@/lib/cn'

const button = cva(
  'inline-flex items-center justify-center gap-2 rounded-md text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-foreground not-disabled:hover:bg-primary/90',
        outline: 'border border-input bg-card not-disabled:hover:bg-muted',
        ghost: 'not-disabled:hover:bg-muted',
        danger: 'bg-danger text-background not-disabled:hover:bg-danger/90',
      },
      size: { md: 'min-h-10 px-4', sm: 'min-h-8 px-3', icon: 'size-10' },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
)

interface Props extends ComponentProps<'button'>, VariantProps<typeof button> {
  /** Gives the looks of a button to the one child, a link for one. */
  asChild?: boolean
}

export function Button({ className, variant, size, asChild = false, type, ...rest }: Props) {
  const classes = cn(button({ variant, size }), className)
  if (asChild) return <Slot.Root className={classes} {...rest} />
  return <button type={type ?? 'button'} className={classes} {...rest} />
}
