import { useTranslation } from 'react-i18next'

import { PageHeader } from '@/components/page'

import { JudgesCard } from './components/JudgesCard'
import { PolicyCard } from './components/PolicyCard'
import { TokensCard } from './components/TokensCard'
import { WorkspaceCard } from './components/WorkspaceCard'
import { WebhooksCard } from './webhooks/WebhooksCard'

export function SettingsPage() {
  const { t } = useTranslation('settings')
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="grid grid-cols-1 gap-6">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <WorkspaceCard />
          <JudgesCard />
        </div>
        <PolicyCard />
        <WebhooksCard />
        <TokensCard />
      </div>
    </>
  )
}
