import { FlaskConical, RotateCcw } from 'lucide-react'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, Card, CardTitle, Input, Select, Textarea } from '@/components/ui'
import type { EvaluationView } from '@/lib/verdict'

import type { ShippedPrompt } from '../api/prompts'
import { useStartTrial } from '../api/trials'
import { langOf, takesPrompts, type Choice } from '../choices'

import { FixedParts } from './FixedParts'
import { KeepPrompt } from './KeepPrompt'
import { TryOnLabelled } from './TryOnLabelled'

const MAX_INSTRUCTIONS = 8000
/** The id of what shows the trial. */
export const RESULT = 'trial'

interface Props {
  view: EvaluationView
  policy: { model: string; prompt: string }
  choices: readonly Choice[]
  shipped: readonly ShippedPrompt[]
}

/** The judge and its instructions. They are tried as they stand; kept, they get a version. */
export function PromptForm({ view, policy, choices, shipped }: Props) {
  const { t } = useTranslation('playground')
  const lang = langOf(view.lang)
  const start = useStartTrial()
  const [model, setModel] = useState('')
  const [version, setVersion] = useState(policy.prompt)
  const [written, setWritten] = useState<string | null>(null)

  const [usual] = choices
  const choice = choices.find((each) => each.version === version) ?? usual
  if (!choice) return null
  const original = choice.texts[lang] ?? ''
  const text = written ?? original
  const edited = text !== original
  const judge = model.trim() || policy.model
  const base = shipped.find((each) => each.version === choice.base)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    start.mutate(
      {
        evaluation_id: view.id,
        judge_model: judge,
        prompt: choice.version,
        ...(edited && { text }),
      },
      {
        onSuccess: () =>
          requestAnimationFrame(() => document.getElementById(RESULT)?.scrollIntoView()),
      },
    )
  }
  return (
    <Card className="min-w-0">
      <CardTitle>{t('form.title')}</CardTitle>
      <form className="grid gap-3" onSubmit={submit} noValidate>
        <div className="grid gap-3 sm:grid-cols-2">
          <Input
            label={t('form.model')}
            hint={t('form.modelHint', { model: policy.model })}
            error={takesPrompts(judge) ? undefined : t('form.noPrompt', { model: judge })}
            placeholder={policy.model}
            value={model}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setModel(target.value)}
          />
          <Select
            label={t('form.version')}
            hint={t('form.versionHint')}
            value={choice.version}
            onChange={({ target }) => {
              setVersion(target.value)
              setWritten(null)
            }}
          >
            {choices.map((each) => (
              <option key={each.version} value={each.version}>
                {each.version}
              </option>
            ))}
          </Select>
        </div>
        <Textarea
          label={t(`form.instructions.${lang}`)}
          hint={t('form.instructionsHint')}
          className="min-h-80 font-mono text-xs leading-relaxed"
          maxLength={MAX_INSTRUCTIONS}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setWritten(target.value)}
        />
        {base && <FixedParts fixed={base.fixed[lang] ?? {}} />}
        {start.error && <ErrorState error={start.error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={start.isPending || !takesPrompts(judge)}>
            <FlaskConical aria-hidden />
            {t('form.try')}
          </Button>
          <Button
            type="button"
            variant="outline"
            disabled={!edited}
            onClick={() => setWritten(null)}
          >
            <RotateCcw aria-hidden />
            {t('form.reset')}
          </Button>
          <KeepPrompt
            choice={choice}
            lang={lang}
            text={text}
            onKept={(reference) => {
              setVersion(reference)
              setWritten(null)
            }}
          />
          <TryOnLabelled judge={judge} version={edited ? null : choice.version} />
        </div>
      </form>
    </Card>
  )
}
