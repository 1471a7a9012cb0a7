import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '@/components/page'
import { AddButton, Badge, Button, TriggeredDialog } from '@/components/ui'
import { useCriteria } from '@/hooks/criteria'
import { useWho } from '@/hooks/workspace'
import { toast, toastError } from '@/lib/toast'

import {
  type Criterion,
  useArchiveCriterion,
  useCriterionExamples,
  useSaveCriterion,
} from '../api/criteria'
import { ListCard } from '../components/ListCard'

import { CriterionForm } from './CriterionForm'
import { draftOf, EMPTY } from './criterionDraft'

const MOST = 10

/** What answers are judged by beside correctness and utility. */
export function CriteriaCard() {
  const list = useCriteria()
  const { data: who } = useWho()
  const mayChange = who?.scopes.includes('admin') ?? false
  const mayAdd = mayChange && (list.data?.items.length ?? MOST) < MOST
  return (
    <ListCard of="criteria" list={list} actions={mayAdd && <EditCriterion />}>
      {(items) => (
        <>
          <ul className="divide-border grid divide-y">
            {items.map((criterion) => (
              <CriterionItem key={criterion.id} {...{ criterion, mayChange }} />
            ))}
          </ul>
          {mayAdd && <Examples taken={items.map(({ name }) => name)} />}
        </>
      )}
    </ListCard>
  )
}

function CriterionItem({ criterion, mayChange }: { criterion: Criterion; mayChange: boolean }) {
  const { t } = useTranslation('settings')
  const { name, version, question, kind, scale } = criterion
  const rule = ruleOf(criterion)
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3">
      <div className="grid min-w-0 gap-1 text-sm">
        <span className="flex flex-wrap items-center gap-2 font-medium break-all">
          {name} <Badge>{t('criteria.version', { version })}</Badge>
          <Badge variant="info">{t(`criteria.kinds.${kind}`)}</Badge>
        </span>
        <span>{question}</span>
        {rule && <code className="text-muted-foreground line-clamp-2 break-all">{rule}</code>}
        <span className="text-muted-foreground break-words">
          {scale.length > 0 ? scale.join(' < ') : t(`criteria.numbers.${kind}`)}
        </span>
      </div>
      {mayChange && (
        <div className="flex gap-2">
          <EditCriterion criterion={criterion} />
          <ArchiveCriterion criterion={criterion} />
        </div>
      )}
    </li>
  )
}

/** What a rule looks for; characters as from–to. */
function ruleOf({ kind, pattern, json_schema: schema, min_chars, max_chars }: Criterion) {
  if (kind === 'length') return `${min_chars ?? 0}–${max_chars ?? '∞'}`
  return pattern ?? (schema && JSON.stringify(schema))
}

/** A new criterion, or the next version of one. */
function EditCriterion({ criterion }: { criterion?: Criterion }) {
  const { t } = useTranslation('settings')
  const save = useSaveCriterion()
  const title = criterion ? t('criteria.editOne', { name: criterion.name }) : t('criteria.add')
  return (
    <TriggeredDialog
      title={title}
      trigger={criterion ? t('criteria.edit') : <AddButton>{title}</AddButton>}
      onOpenChange={save.reset}
    >
      {(close) => (
        <CriterionForm
          initial={criterion ? draftOf(criterion) : EMPTY}
          named={criterion !== undefined}
          request={save}
          onSave={(body) =>
            save.mutate(body, {
              onSuccess: ({ name, version }) => {
                close()
                toast(t('criteria.saved', { name, version }), 'success')
              },
            })
          }
        />
      )}
    </TriggeredDialog>
  )
}

function ArchiveCriterion({ criterion: { id, name } }: { criterion: Criterion }) {
  const { t } = useTranslation('settings')
  return (
    <ConfirmDialog
      trigger={t('criteria.archiveOne', { name })}
      title={t('criteria.archiveTitle', { name })}
      description={t('criteria.archiveText')}
      action={t('criteria.archive')}
      request={useArchiveCriterion()}
      input={id}
      done={t('criteria.archived', { name })}
    />
  )
}

/** Criteria that come with the program, each added at once. */
function Examples({ taken }: { taken: readonly string[] }) {
  const { t, i18n } = useTranslation('settings')
  const { data: examples = [] } = useCriterionExamples(i18n.language)
  const { mutate, isPending } = useSaveCriterion()
  const offered = examples.filter(({ name }) => !taken.includes(name))
  if (offered.length === 0) return null
  return (
    <section aria-label={t('criteria.examples')} className="mt-4 grid gap-2 text-sm">
      <h3 className="font-medium">{t('criteria.examples')}</h3>
      <ul className="grid gap-2">
        {offered.map((example) => (
          <li key={example.name} className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0">{example.question}</span>
            <Button
              size="sm"
              icon={Plus}
              disabled={isPending}
              aria-label={t('criteria.addExample', { name: example.name })}
              onClick={() =>
                mutate(
                  { ...example, note: '' },
                  {
                    onSuccess: ({ name, version }) =>
                      toast(t('criteria.saved', { name, version }), 'success'),
                    onError: toastError,
                  },
                )
              }
            >
              {t('criteria.addThis')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
