import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'

import { cn } from '@/lib/cn'

export const Tabs = Radix.Root

/** Needs an `aria-label`. */
export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List
      className={cn('border-border mb-4 flex gap-1 overflow-x-auto border-b', className)}
      {...rest}
    />
  )
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        'text-muted-foreground data-[state=active]:border-primary data-[state=active]:text-foreground -mb-px min-h-10 border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap -outline-offset-2',
        className,
      )}
      {...rest}
    />
  )
}

export const TabsContent = Radix.Content
