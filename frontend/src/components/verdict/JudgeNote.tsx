import { useTranslation } from 'react-i18next'

import { judgeName, judgeOf, loweredLine, voiceOf } from '@/lib/judge'
import type { Verdict } from '@/lib/verdict'

/** Who judged, and what such a judge cannot know. */
export function JudgeNote({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation('ai')
  const judge = judgeOf(verdict)
  const voice = voiceOf(verdict)
  const lowered = verdict.qa_evaluation && loweredLine(verdict.qa_evaluation)
  if (judge === undefined) return null
  return (
    <div className="text-muted-foreground grid gap-1 text-xs">
      <p>{t('judgedBy', { judge: judgeName(t, judge) })}</p>
      {voice !== 'model' && <p>{t(`limits.${voice}`)}</p>}
      {lowered && <p>{t(lowered)}</p>}
    </div>
  )
}
