import { useTranslation } from 'react-i18next'

import { ErrorState, PageHeader } from '@/components/page'
import { Spinner } from '@/components/ui'

import { Database } from './Database'
import { Judges } from './Judges'
import { Problems } from './Problems'
import { Processes } from './Processes'
import { Queues } from './Queues'
import { useSystem } from './api/system'

/** What waits, who works on it, and what is wrong, for who operates the installation. */
export function SystemPage() {
  const { t } = useTranslation('system')
  const { data: system, error, refetch } = useSystem()
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {error && (
        <div className="mb-6">
          <ErrorState error={error} onRetry={refetch} />
        </div>
      )}
      {!system && !error && <Spinner />}
      {system && (
        <div className="grid grid-cols-1 gap-6">
          <Problems problems={system.problems} />
          <Queues queues={system.queues} />
          <Processes processes={system.processes} />
          <Judges />
          <Database system={system} />
        </div>
      )}
    </>
  )
}
