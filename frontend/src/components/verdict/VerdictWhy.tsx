import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { voiceOf } from '@/lib/judge'

import { VerdictBars } from './VerdictBars'
import { VerdictDetails } from './VerdictDetails'
import { VerdictLine, VerdictNotes } from './VerdictStatus'

type Props = ComponentProps<typeof VerdictDetails> & { children?: ReactNode }

/** The life of a verdict in a line, behind which is all that it rests on: judge, scores, checks. */
export function VerdictWhy({ children, ...details }: Props) {
  const { t } = useTranslation('ai')
  const { verdict } = details
  const { qa_evaluation: evaluation, feedback, quality } = verdict
  if (!(evaluation ?? feedback ?? quality ?? verdict.error))
    return <VerdictLine verdict={verdict} />
  return (
    <details className="group text-sm">
      <summary className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <VerdictLine verdict={verdict} />
        <span className="text-muted-foreground inline-flex items-center gap-1">
          {t('details')}
          <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
        </span>
      </summary>
      <div className="border-border my-2 grid gap-row border-l-2 pl-card">
        <div className="grid justify-items-start gap-1">
          <VerdictNotes verdict={verdict} />
        </div>
        {evaluation && <VerdictBars evaluation={evaluation} voice={voiceOf(verdict)} />}
        <VerdictDetails {...details} />
        {children}
      </div>
    </details>
  )
}
