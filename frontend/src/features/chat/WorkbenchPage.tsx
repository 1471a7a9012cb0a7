import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { AIChat } from '@/components/AIChat'
import { PageHeader } from '@/components/PageHeader'

import { Options } from './Options'
import { chatOptions, NOTHING_ASKED } from './asked'

export function WorkbenchPage() {
  const { t } = useTranslation('chat')
  const [asked, setAsked] = useState(NOTHING_ASKED)
  const options = useMemo(() => chatOptions(asked), [asked])
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="grid gap-6">
        <Options value={asked} onChange={setAsked} />
        <AIChat conversation="workbench" options={options} />
      </div>
    </div>
  )
}
