import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { AIChat } from '@/components/AIChat'
import { PageHeader } from '@/components/PageHeader'
import { useNotebooks } from '@/hooks/useNotebooks'

import { FirstNotes } from './FirstNotes'
import { Options } from './Options'
import { chatOptions, NOTHING_ASKED } from './asked'

// Where the API stores the sample notes; they answer the examples.
const SAMPLE_NOTEBOOK = 'laboratory'
const EXAMPLES = ['first', 'second', 'third'] as const

export function WorkbenchPage() {
  const { t } = useTranslation('chat')
  const [asked, setAsked] = useState(NOTHING_ASKED)
  const options = useMemo(() => chatOptions(asked), [asked])
  const { data: notebooks } = useNotebooks()
  const hasSamples = notebooks?.some(({ name }) => name === SAMPLE_NOTEBOOK)
  const examples = hasSamples ? EXAMPLES.map((name) => t(`examples.${name}`)) : []
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="grid gap-6">
        {notebooks?.length === 0 && <FirstNotes />}
        <Options value={asked} onChange={setAsked} />
        <AIChat conversation="workbench" options={options} examples={examples} />
      </div>
    </div>
  )
}
