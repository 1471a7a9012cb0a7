import { useTranslation } from 'react-i18next'

import { Badge } from '@/components/ui'
import type { Claim } from '@/components/verdict/ClaimList'
import { CLAIM_LOOKS } from '@/lib/badgeLook'

import { changedClaims } from '../changedClaims'

interface Props {
  before: readonly Claim[] | null
  after: readonly Claim[] | null
}

/** The statements that the trial judges otherwise than the stored verdict does. */
export function ClaimChanges({ before, after }: Props) {
  const { t } = useTranslation('playground')
  const { t: ai } = useTranslation('ai')
  if (!before || !after) return <p className="text-sm">{t('changes.notComparable')}</p>
  const changed = changedClaims(before, after)
  return (
    <section className="text-sm">
      <h3 className="mb-1 font-semibold">{t('changes.title', { count: changed.length })}</h3>
      {changed.length === 0 ? (
        <p className="text-muted-foreground">{t('changes.none')}</p>
      ) : (
        <ul className="divide-border grid divide-y">
          {changed.map(({ text, from, to, reasoning }) => (
            <li key={text} className="grid gap-1 py-2">
              <p className="flex flex-wrap items-center gap-1">
                <Verdict verdict={from} none={t('changes.notThere')} />
                <span aria-hidden>→</span>
                <span className="sr-only">{t('changes.to')}</span>
                <Verdict verdict={to} none={t('changes.notThere')} />
              </p>
              <p className="break-words">{text}</p>
              {reasoning && <p className="text-muted-foreground">{reasoning}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )

  function Verdict({ verdict, none }: { verdict: Claim['verdict'] | null; none: string }) {
    if (verdict === null) return <Badge>{none}</Badge>
    return <Badge variant={CLAIM_LOOKS.judge[verdict]}>{ai(`claim.${verdict}`)}</Badge>
  }
}
