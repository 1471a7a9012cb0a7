import i18n from 'i18next'

import { stateKey } from '@/lib/answerState'
import { currentLocale } from '@/lib/language'
import { momentOf, statusLine } from '@/lib/statusLine'
import type { Verdict } from '@/lib/verdict'

/** Where a verdict stands, or what it is, in one sentence. */
export function statusText(verdict: Verdict): string {
  const t = i18n.getFixedT(null, 'ai')
  const { status, qa_evaluation: evaluation } = verdict
  if (status === 'succeeded' && evaluation) {
    return t('verdictIs', { verdict: t(stateKey(evaluation)) })
  }
  const { key, at } = statusLine(verdict)
  return at ? t(key, { time: momentOf(at, currentLocale()) }) : t(key)
}
