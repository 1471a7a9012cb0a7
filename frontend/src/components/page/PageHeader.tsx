import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  title: string
  lead?: string
  /** Buttons on the right. */
  children?: ReactNode
}

/** The heading of a page. It is the title of the document, and where the focus goes when readers
 * come here from another page. */
export function PageHeader({ title, lead, children }: Props) {
  const { t } = useTranslation()
  return (
    <div className="mb-section flex flex-wrap items-start justify-between gap-row">
      <title>{`${title} · ${t('appName')}`}</title>
      <div>
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
          {title}
        </h1>
        {lead !== undefined && <p className="text-muted-foreground mt-1">{lead}</p>}
      </div>
      {children}
    </div>
  )
}
