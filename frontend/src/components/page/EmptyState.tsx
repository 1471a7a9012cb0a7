import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  title: string
  text?: string
  /** What to do next. */
  children?: ReactNode
}

export function EmptyState({ title, text, children }: Props) {
  return (
    <div className="border-border grid justify-items-center gap-2 rounded-lg border border-dashed p-8 text-center">
      <Inbox aria-hidden className="text-muted-foreground size-8" />
      <p className="font-medium">{title}</p>
      {text !== undefined && <p className="text-muted-foreground text-sm">{text}</p>}
      {children}
    </div>
  )
}
