import { Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { cn } from '@/lib/cn'

import { FILE_ENDINGS } from '../api/importFile'

/** A button that opens the browser's choice of files, on which files may be dropped as well. */
export function Dropzone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('notes')
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-describedby={id}
        className={cn(
          'border-input hover:bg-muted grid min-h-32 w-full justify-items-center gap-1 rounded-lg border-2 border-dashed p-4 text-center text-sm',
          over && 'border-primary bg-accent',
        )}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          onFiles([...event.dataTransfer.files])
        }}
      >
        <Upload aria-hidden className="text-muted-foreground size-6" />
        <span className="font-medium">{t('import.drop')}</span>
        <span id={id} className="text-muted-foreground">
          {t('import.kinds')}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="files"
        aria-label={t('import.drop')}
        accept={FILE_ENDINGS.join(',')}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Choosing the same file again must be noticed.
          event.target.value = ''
        }}
      />
    </div>
  )
}
