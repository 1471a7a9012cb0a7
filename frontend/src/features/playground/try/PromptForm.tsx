import { FlaskConical, Gavel, RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState, Facts } from '@/components/page'
import {
  Button,
  Card,
  CardTitle,
  Form,
  Input,
  Select,
  Spinner,
  Textarea,
  TriggeredDialog,
} from '@/components/ui'
import { count, dollars } from '@/lib/figures'
import type { EvaluationView } from '@/lib/verdict'

import type { ShippedPrompt } from '../api/prompts'
import { LABELLED, useLabelledEstimate, useStartTrial, useTryOnLabelled } from '../api/trials'
import { type Choice, langOf, takesPrompts } from '../choices'

import { KeepPrompt } from './KeepPrompt'

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
  const submit = () => {
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
      <Form className="grid gap-3" onSubmit={submit} noValidate>
        <div className="grid gap-3 sm:grid-cols-2">
          <Input
            label={t('form.model')}
            hint={t('form.modelHint', { model: policy.model })}
            error={takesPrompts(judge) ? undefined : t('form.noPrompt', { model: judge })}
            placeholder={policy.model}
            value={model}
            verbatim
            onValue={setModel}
          />
          <Select
            label={t('form.version')}
            hint={t('form.versionHint')}
            value={choice.version}
            onValue={(chosen) => {
              setVersion(chosen)
              setWritten(null)
            }}
            options={choices.map((each) => ({ value: each.version, text: each.version }))}
          />
        </div>
        <Textarea
          label={t(`form.instructions.${lang}`)}
          hint={t('form.instructionsHint')}
          className="min-h-80 font-mono text-xs leading-relaxed"
          maxLength={MAX_INSTRUCTIONS}
          spellCheck={false}
          value={text}
          onValue={setWritten}
        />
        {base && <FixedParts fixed={base.fixed[lang] ?? {}} />}
        {start.error && <ErrorState error={start.error} />}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            disabled={start.isPending || !takesPrompts(judge)}
            icon={FlaskConical}
          >
            {t('form.try')}
          </Button>
          <Button disabled={!edited} onClick={() => setWritten(null)} icon={RotateCcw}>
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
      </Form>
    </Card>
  )
}

/** What stands in the places of {about}, {sections} and {form}, whatever the instructions say. */
function FixedParts({ fixed }: { fixed: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('playground')
  return (
    <details className="bg-muted min-w-0 rounded-md p-3 text-sm">
      <summary className="min-h-6 font-medium">{t('fixed.title')}</summary>
      <p className="mt-2">{t('fixed.text')}</p>
      <dl className="mt-2 grid gap-3">
        {Object.entries(fixed).map(([name, text]) => (
          <div key={name} className="min-w-0">
            <dt className="font-mono text-xs font-medium">{`{${name}}`}</dt>
            <dd className="mt-1 font-mono text-xs break-words whitespace-pre-wrap">
              {text.trim()}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

interface TryOnLabelledProps {
  judge: string
  /** Null while what is written is no version. */
  version: string | null
}

/** Has a version judge labelled answers, beside the verdicts that readers got. */
function TryOnLabelled({ judge, version }: TryOnLabelledProps) {
  const { t } = useTranslation('playground')
  return (
    <TriggeredDialog
      title={t('labelled.open', { count: LABELLED })}
      description={t('labelled.text', { count: LABELLED })}
      trigger={<Button icon={Gavel}>{t('labelled.open', { count: LABELLED })}</Button>}
    >
      {version === null ? (
        <p className="text-sm">{t('labelled.keepFirst')}</p>
      ) : (
        <Start judge={judge} version={version} />
      )}
    </TriggeredDialog>
  )
}

function Start({ judge, version }: { judge: string; version: string }) {
  const { t } = useTranslation('playground')
  const navigate = useNavigate()
  const { mutate, data: known, error } = useLabelledEstimate()
  const start = useTryOnLabelled()
  const [judges] = useState(() => [`${judge}@${version}`, 'stored'])
  useEffect(() => {
    mutate(judges)
  }, [mutate, judges])
  if (error) return <ErrorState error={error} />
  if (!known) return <Spinner label={t('labelled.estimating')} />
  const tokens = {
    prompt: count(known.prompt_tokens),
    completion: count(known.completion_tokens),
  }
  const cost = known.cost_usd === null ? t('labelled.unknownCost') : dollars(known.cost_usd)
  return (
    <div className="grid gap-3 text-sm">
      <Facts
        facts={[
          [t('labelled.answers'), count(known.items)],
          [t('labelled.calls'), count(known.calls)],
          [t('labelled.tokens'), t('figures.tokenText', tokens)],
          [t('labelled.cost'), cost],
        ]}
      />
      {start.error && <ErrorState error={start.error} />}
      <Button
        variant="primary"
        className="justify-self-end"
        disabled={start.isPending}
        onClick={() =>
          start.mutate(
            { name: version, judges },
            { onSuccess: ({ id }) => void navigate(`/benches/${id}`) },
          )
        }
      >
        {t('labelled.start', { cost })}
      </Button>
    </div>
  )
}
