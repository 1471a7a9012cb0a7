import { cn } from '@/lib/cn'

/** Holds the place of what is loading; hidden from screen readers, so say it with a Spinner. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('bg-muted animate-pulse rounded-md', className)} />
}
