import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { TextDiff } from '@/components/TextDiff'
import { Card, CardTitle, Select } from '@/components/ui'
import type { PromptVersion } from '@/hooks/useJudgePrompts'
import { currentLanguage } from '@/lib/language'

import type { ShippedPrompt } from '../api/prompts'
import { langOf } from '../choices'

interface Props {
  own: readonly PromptVersion[]
  shipped: readonly ShippedPrompt[]
}

/** Two versions side by side, with what only one of them says marked. */
export function ComparePrompts({ own, shipped }: Props) {
  const { t } = useTranslation('playground')
  const all = [
    ...own.map(({ reference, texts, parent }) => ({ version: reference, texts, parent })),
    ...shipped.map(({ version, texts }) => ({ version, texts, parent: '' })),
  ]
  const [newest] = all
  const [after, setAfter] = useState(newest?.version ?? '')
  const [before, setBefore] = useState<string | null>(null)
  const [lang, setLang] = useState(langOf(currentLanguage()))
  const second = all.find(({ version }) => version === after) ?? newest
  if (!second) return null
  const other = all.find(({ version }) => version !== second.version)?.version
  const wanted = before ?? (second.parent || other)
  const first = all.find(({ version }) => version === wanted) ?? second
  const options = all.map(({ version }) => (
    <option key={version} value={version}>
      {version}
    </option>
  ))
  return (
    <Card className="grid min-w-0 gap-3">
      <CardTitle className="mb-0">{t('compare.title')}</CardTitle>
      <div className="grid gap-3 sm:grid-cols-3">
        <Select
          label={t('compare.before')}
          value={first.version}
          onChange={({ target }) => setBefore(target.value)}
        >
          {options}
        </Select>
        <Select
          label={t('compare.after')}
          value={second.version}
          onChange={({ target }) => setAfter(target.value)}
        >
          {options}
        </Select>
        <Select
          label={t('compare.lang')}
          value={lang}
          onChange={({ target }) => setLang(langOf(target.value))}
        >
          <option value="ko">{t('compare.ko')}</option>
          <option value="en">{t('compare.en')}</option>
        </Select>
      </div>
      <div className="grid gap-2 text-sm">
        <h3 className="font-semibold">{t(`form.instructions.${lang}`)}</h3>
        <TextDiff
          before={first.texts[lang] ?? ''}
          after={second.texts[lang] ?? ''}
          beforeTitle={first.version}
          afterTitle={second.version}
        />
      </div>
    </Card>
  )
}
