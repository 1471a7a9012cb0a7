import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { cn } from '@/lib/cn'

interface Props {
  title: string
  /** The one thing that the page shows; it stands first on the tab. */
  of?: string | undefined
  lead?: string
  className?: string
  /** Buttons on the right. */
  children?: ReactNode
}

/** The heading of a page. It is on the tab, and where the focus goes when readers
 * come here from another page. */
export function PageHeader({ title, of, lead, className, children }: Props) {
  const { t } = useTranslation()
  return (
    <div className={cn('mb-section flex flex-wrap items-start gap-row', className)}>
      <title>{[of, title, t('appName')].filter(Boolean).join(' · ')}</title>
      <div className="mr-auto">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
          {title}
        </h1>
        {lead !== undefined && <p className="text-muted-foreground mt-1">{lead}</p>}
      </div>
      {children}
    </div>
  )
}
