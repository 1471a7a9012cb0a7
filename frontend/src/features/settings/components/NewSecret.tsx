import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button, DialogClose, Input } from '@/components/ui'

/** A token or key, this one time. */
export function NewSecret({ label, secret }: { label: string; secret: string }) {
  const { t } = useTranslation(['settings', 'common'])
  const [told, setTold] = useState<'copied' | 'copyByHand'>()
  // Said here, since a click on a message outside would close the dialog.
  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      setTold('copied')
    } catch {
      // The clipboard is there for pages of https and of this machine only.
      setTold('copyByHand')
    }
  }
  return (
    <div className="grid gap-4">
      <Input
        label={label}
        hint={t('tokens.onlyNow')}
        readOnly
        className="font-mono"
        value={secret}
        onFocus={(event) => event.target.select()}
      />
      <p role="status" className="text-sm empty:hidden">
        {told && t(`tokens.${told}`)}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={() => void copy()} icon={Copy}>
          {t('tokens.copy')}
        </Button>
        <DialogClose asChild>
          <Button variant="primary">{t('common:close')}</Button>
        </DialogClose>
      </div>
    </div>
  )
}
