import { Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { cn } from '@/lib/cn'

import type { Field } from '../api/policy'

export const OWN = 'decoration-primary font-medium underline decoration-2 underline-offset-4'

export interface Clause {
  name: Field
  text: string
  own: boolean
  unsaved: boolean
}

interface Props {
  clauses: readonly Clause[]
  mayChange: boolean
  /** Whether one of its fields needs attention. */
  forced: boolean
  onPutBack: () => void
  /** The controls. */
  children: ReactNode
}

/** Fields that belong together: what holds, as sentences, and on demand their controls. */
export function Statement({ clauses, mayChange, forced, onPutBack, children }: Props) {
  const { t } = useTranslation('settings')
  const [isOpen, setOpen] = useState(false)
  const shown = mayChange && (isOpen || forced)
  const field = t(`policy.fields.${clauses[0]?.name ?? 'enabled'}`)
  return (
    <li className="grid gap-row py-2">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 py-1 break-words">
          {clauses.map(({ name, text, own, unsaved }) => (
            <span key={name}>
              <span className={cn(own && OWN, unsaved && 'bg-warning-soft')}>{text}</span>
              {own && <span className="sr-only"> ({t('policy.own')})</span>}
              {unsaved && <span className="sr-only"> ({t('policy.unsaved')})</span>}{' '}
            </span>
          ))}
        </p>
        {mayChange && (
          <div className="flex shrink-0 gap-1">
            {clauses.some(({ own }) => own) && (
              <Button
                variant="ghost"
                size="sm"
                icon={Undo2}
                title={t('policy.putBack', { field })}
                aria-label={t('policy.putBack', { field })}
                onClick={onPutBack}
              />
            )}
            <Button
              size="sm"
              aria-expanded={shown}
              aria-label={t(shown ? 'policy.doneOne' : 'policy.changeOne', { field })}
              onClick={() => setOpen(!shown)}
            >
              {t(shown ? 'policy.done' : 'policy.change')}
            </Button>
          </div>
        )}
      </div>
      {shown && <div className="bg-muted/50 grid gap-4 rounded-md p-3">{children}</div>}
    </li>
  )
}
