import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { toast } from '@/lib/toast'

/** The SQL that gave the numbers, to be run by oneself. */
export function SqlView({ sql, title }: { sql: string; title: string }) {
  const { t } = useTranslation('quality')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sql)
      toast(t('copied'), 'success')
    } catch {
      // Browsers refuse where the page came by plain HTTP from another computer.
      toast(t('notCopied'), 'error')
    }
  }
  return (
    <div className="grid justify-items-start gap-2">
      <Button variant="outline" size="sm" onClick={copy}>
        <Copy aria-hidden />
        {t('copy')}
      </Button>
      <pre
        role="region"
        aria-label={`${title} SQL`}
        // The keyboard must reach what only scrolling shows.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="bg-muted max-h-96 w-full overflow-auto rounded-md p-3 text-xs"
      >
        <code>{sql}</code>
      </pre>
    </div>
  )
}
