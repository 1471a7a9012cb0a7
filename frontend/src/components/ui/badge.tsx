import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'

import { cn } from '@/lib/cn'

const badge = cva(
  'inline-flex max-w-full items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        neutral: 'bg-muted text-muted-foreground',
        info: 'bg-accent text-accent-foreground',
        success: 'bg-success-soft text-success-foreground',
        warning: 'bg-warning-soft text-warning-foreground',
        danger: 'bg-danger-soft text-danger-foreground',
        outline: 'border-input bg-card text-foreground rounded-md border whitespace-normal',
        outlineMuted:
          'border-input bg-card text-muted-foreground rounded-md border whitespace-normal',
        outlineSuccess:
          'border-success bg-card text-success-foreground rounded-md border whitespace-normal',
        outlineWarning:
          'border-warning bg-card text-warning-foreground rounded-md border whitespace-normal',
        outlineDanger:
          'border-danger bg-card text-danger-foreground rounded-md border whitespace-normal',
      },
    },
    defaultVariants: { variant: 'neutral' },
  },
)

export function Badge({
  className,
  variant,
  ...rest
}: ComponentProps<'span'> & VariantProps<typeof badge>) {
  return <span className={cn(badge({ variant }), className)} {...rest} />
}
