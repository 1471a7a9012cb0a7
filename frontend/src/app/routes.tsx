import { useTranslation } from 'react-i18next'
import { type RouteObject, useRouteError } from 'react-router'

import { ErrorState, PageHeader } from '@/components/page'
import { Button, ButtonLink, Spinner } from '@/components/ui'
import { page } from '@/lib/page'

import { Shell } from './Shell'
import { loadStrings } from './i18n'

/** The pages of each feature by their paths. A feature is named as its folder, which is the namespace
 * of its strings. */
const FEATURES = {
  chat: {
    '/': page(() => import('@/features/chat/WorkbenchPage'), 'WorkbenchPage'),
    'c/:conversation': page(() => import('@/features/chat/WorkbenchPage'), 'WorkbenchPage'),
  },
  notes: {
    notes: page(() => import('@/features/notes/NotesPage'), 'NotesPage'),
    'notes/:id': page(() => import('@/features/notes/NotePage'), 'NotePage'),
  },
  quality: {
    quality: page(() => import('@/features/quality/QualityPage'), 'QualityPage'),
    failures: page(() => import('@/features/quality/FailuresPage'), 'FailuresPage'),
    'failures/:id': page(() => import('@/features/quality/FailurePage'), 'FailurePage'),
    releases: page(() => import('@/features/quality/ReleasesPage'), 'ReleasesPage'),
  },
  evaluations: {
    evaluations: page(() => import('@/features/evaluations/EvaluationsPage'), 'EvaluationsPage'),
    'evaluations/:id': page(
      () => import('@/features/evaluations/EvaluationPage'),
      'EvaluationPage',
    ),
    label: page(() => import('@/features/evaluations/label/LabelPage'), 'LabelPage'),
  },
  runs: {
    datasets: page(() => import('@/features/runs/datasets/DatasetsPage'), 'DatasetsPage'),
    'datasets/:id': page(() => import('@/features/runs/datasets/DatasetPage'), 'DatasetPage'),
    benches: page(() => import('@/features/runs/benches/BenchesPage'), 'BenchesPage'),
    'benches/:id': page(() => import('@/features/runs/benches/BenchPage'), 'BenchPage'),
    runs: page(() => import('@/features/runs/list/RunsPage'), 'RunsPage'),
    'runs/compare': page(() => import('@/features/runs/compare/ComparePage'), 'ComparePage'),
    'runs/:id': page(() => import('@/features/runs/run/RunPage'), 'RunPage'),
  },
  playground: {
    playground: page(() => import('@/features/playground/PlaygroundPage'), 'PlaygroundPage'),
  },
  settings: {
    audit: page(() => import('@/features/settings/audit/AuditPage'), 'AuditPage'),
    connect: page(() => import('@/features/settings/connect/ConnectPage'), 'ConnectPage'),
    settings: page(() => import('@/features/settings/SettingsPage'), 'SettingsPage'),
  },
  system: {
    system: page(() => import('@/features/system/SystemPage'), 'SystemPage'),
  },
}

/** Below `/ui`. Code and strings of a page are loaded when it is opened. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    children: [
      {
        errorElement: <BrokenPage />,
        hydrateFallbackElement: <Spinner />,
        children: [
          ...Object.entries(FEATURES).flatMap(([feature, pages]) =>
            Object.entries(pages).map(([path, code]) => ({
              path,
              lazy: async () =>
                (await Promise.all([code(), loadStrings(feature as keyof typeof FEATURES)]))[0],
            })),
          ),
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
]

function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={t('notFound.title')} lead={t('notFound.text')} />
      <ButtonLink variant="primary" to="/">
        {t('notFound.home')}
      </ButtonLink>
    </>
  )
}

/** In place of a page that threw, or whose code is gone because the server was updated. */
function BrokenPage() {
  const { t } = useTranslation()
  const error = useRouteError()
  return (
    <>
      <PageHeader title={t('error.title')} />
      <div className="grid justify-items-start gap-4">
        <ErrorState error={error instanceof TypeError ? null : error} />
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t('error.reload')}
        </Button>
      </div>
    </>
  )
}
