import { Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { useRefine } from '@/hooks/useRefinement'
import { said } from '@/lib/toast'
import { needsImprovement, type EvaluationView, type Verdict } from '@/lib/verdict'

interface Props {
  verdict: Verdict
  /** Once there was an attempt, what came of it stands in place of the offer. */
  refinement: EvaluationView['refinement']
}

/** Offers to look for a better answer where the verdict is that one is needed. */
export function ImproveAnswer({ verdict, refinement }: Props) {
  const { id } = verdict
  if (id === null || refinement !== null || !needsImprovement(verdict)) return null
  return <Offer id={id} />
}

function Offer({ id }: { id: string }) {
  const { t } = useTranslation('ai')
  const { mutate, isPending } = useRefine(id)
  const improve = () => mutate(undefined, said(t('improve.started')))
  return (
    <div className="bg-muted flex flex-wrap items-center justify-between gap-2 rounded-md px-3 py-2 text-sm">
      <p>{t('improve.text')}</p>
      <Button size="sm" disabled={isPending} onClick={improve} icon={Sparkles}>
        {t('improve.button')}
      </Button>
    </div>
  )
}
