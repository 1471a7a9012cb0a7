import { ArrowLeft, ArrowRight, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'

import { Key } from './KeyHelp'
import type { Entry, LabelSession, Snapshot } from './labelSession'
import { LABEL_KEYS } from './options'

interface Props {
  session: LabelSession
  snapshot: Snapshot
  /** None behind the last. */
  entry: Entry | undefined
  keys: boolean
}

/** The keys' labels, undo and moves, for fingers. */
export function Decisions({ session, snapshot, entry, keys }: Props) {
  const { t } = useTranslation('evaluations')
  const { at, entries } = snapshot
  const chosen = entry?.draft.label
  return (
    <div className="grid gap-2 lg:flex lg:justify-between">
      {entry && (
        <div role="group" aria-label={t('feedback.ofAnswer')} className="grid grid-cols-3 gap-2">
          {LABEL_KEYS.map(({ key, value, Icon }) => (
            <Button
              key={value}
              variant={chosen === value ? 'primary' : 'outline'}
              className="gap-1 px-1 lg:gap-2 lg:px-4"
              aria-pressed={chosen === value}
              aria-keyshortcuts={keys ? key : undefined}
              onClick={() => session.edit({ label: value })}
              icon={Icon}
            >
              {t(`labels.${value}`)}
              {keys && <Key name={key} />}
            </Button>
          ))}
        </div>
      )}
      <div className="grid grid-cols-3 gap-2 lg:ml-auto">
        <Move name="k" keys={keys} disabled={at === 0} onClick={() => session.go(-1)}>
          <ArrowLeft aria-hidden />
          {t('label.previous')}
        </Move>
        <Move name="u" keys={keys} disabled={!session.canUndo} onClick={() => session.undo()}>
          <Undo2 aria-hidden />
          {t('label.undo')}
        </Move>
        <Move
          name="j"
          keys={keys}
          disabled={at === entries.length && snapshot.loading}
          onClick={() => session.go(1)}
        >
          {entry ? t('label.next') : t('label.lookAgain')}
          <ArrowRight aria-hidden />
        </Move>
      </div>
    </div>
  )
}

interface MoveProps {
  name: string
  keys: boolean
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

function Move({ name, keys, children, ...rest }: MoveProps) {
  return (
    <Button
      className="gap-1 px-1 lg:gap-2 lg:px-4"
      aria-keyshortcuts={keys ? name : undefined}
      {...rest}
    >
      {children}
      {keys && <Key name={name} />}
    </Button>
  )
}
