import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '@/components/page'
import { Button, ButtonLink, Spinner } from '@/components/ui'
import { usePageKeys } from '@/hooks/useKeys'
import { useVerdict } from '@/hooks/useVerdict'

import type { EvaluationRow } from './api/list'
import { Evidence } from './detail/Evidence'

interface Props {
  id: string
  rows: readonly EvaluationRow[]
  /** Null closes it. */
  onOpen: (id: string | null) => void
}

/** The verdict that is open, with its evidence: beside the list, or in its place where there is no
 * room for both. */
export function OpenVerdict({ id, rows, onOpen }: Props) {
  const { t } = useTranslation(['evaluations', 'common'])
  const { view, error } = useVerdict(id)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  usePageKeys({ Escape: () => onOpen(null) })
  const at = rows.findIndex((row) => row.id === id)
  const steps = [
    ['previous', ChevronUp, rows[at - 1]],
    ['next', ChevronDown, at === -1 ? undefined : rows[at + 1]],
  ] as const
  return (
    <section
      aria-labelledby="open-verdict"
      className="bg-background border-border visible fixed inset-0 top-14 z-20 overflow-y-auto overscroll-contain px-4 pb-4 md:left-52 xl:sticky xl:bottom-auto xl:h-[calc(100dvh-3.5rem)] xl:border-l xl:pr-0"
    >
      <div className="bg-background sticky top-0 z-10 flex items-center gap-1 py-1">
        <h2
          id="open-verdict"
          ref={heading}
          tabIndex={-1}
          className="mr-auto font-semibold outline-none"
        >
          {t('detail.title')}
        </h2>
        {steps.map(([name, icon, row]) => (
          <Button
            key={name}
            variant="ghost"
            size="icon"
            aria-label={t(`panel.${name}`)}
            disabled={!row}
            onClick={() => row && onOpen(row.id)}
            icon={icon}
          />
        ))}
        <ButtonLink size="sm" to={`/evaluations/${id}`}>
          {t('panel.page')}
        </ButtonLink>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('common:close')}
          onClick={() => onOpen(null)}
          icon={X}
        />
      </div>
      {error && <ErrorState error={error} />}
      {!view && !error && <Spinner />}
      {/* Who looks for stopped verdicts wants this first. */}
      {view?.error && view.status !== 'succeeded' && (
        <p lang="en" className="bg-danger-soft text-danger-foreground mb-2 rounded-md p-2 text-sm">
          {view.error}
        </p>
      )}
      {view && !error && <Evidence key={id} view={view} />}
    </section>
  )
}
