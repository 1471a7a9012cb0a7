import { Copy, KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ErrorState, PageHeader } from '@/components/page'
import {
  Button,
  ButtonLink,
  Card,
  Spinner,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
} from '@/components/ui'
import { VerdictStatus } from '@/components/verdict/VerdictStatus'
import { useVerdict } from '@/hooks/useVerdict'
import { useWho } from '@/hooks/workspace'
import { queries } from '@/lib/api'
import { copyText } from '@/lib/toast'

import { useCreateToken } from '../api/tokens'

import curl from './snippets/curl.txt?raw'
import langchain from './snippets/langchain.txt?raw'
import llamaIndex from './snippets/llama_index.txt?raw'
import mcp from './snippets/mcp.txt?raw'
import opentelemetry from './snippets/opentelemetry.txt?raw'
import python from './snippets/python.txt?raw'
import typescript from './snippets/typescript.txt?raw'

/** The ways to send answers, with the names by which they are known in both languages. */
const SNIPPETS = {
  python: { name: 'Python', text: python },
  typescript: { name: 'TypeScript', text: typescript },
  curl: { name: 'curl', text: curl },
  opentelemetry: { name: 'OpenTelemetry', text: opentelemetry },
  langchain: { name: 'LangChain', text: langchain },
  llamaIndex: { name: 'LlamaIndex', text: llamaIndex },
  mcp: { name: 'MCP', text: mcp },
} as const

type Way = keyof typeof SNIPPETS

/** The text of a way with its blanks filled. */
const filled = (way: Way, blanks: Record<string, string>) =>
  SNIPPETS[way].text.trim().replace(/{{(\w+)}}/g, (_, name: string) => blanks[name] ?? '')

const WAYS = Object.keys(SNIPPETS) as Way[]
const POLL_MS = 1_500
const TOKEN = { name: 'my-app', scopes: ['read', 'write'], expires_in_days: 90 } as const

/** From nothing to the first verdict of an application: a way, a token, a text to paste. */
export function ConnectPage() {
  const { t } = useTranslation('settings')
  const { data: who } = useWho()
  const { mutate, data: made, error, isPending } = useCreateToken()
  const mayMake = who?.scopes.includes('admin')
  const blanks = {
    url: window.location.origin,
    token: made?.token ?? 'SEARCHQA_TOKEN',
    question: t('connect.sample.question'),
    answer: t('connect.sample.answer'),
    title: t('connect.sample.title'),
    note: t('connect.sample.note'),
  }
  return (
    <div className="mx-auto max-w-4xl">
      <PageHeader title={t('connect.title')} lead={t('connect.lead')} />
      <Card className="grid gap-4">
        <Tabs defaultValue="python">
          <TabsList aria-label={t('connect.ways')}>
            {WAYS.map((way) => (
              <TabsTrigger key={way} value={way}>
                {SNIPPETS[way].name}
              </TabsTrigger>
            ))}
          </TabsList>
          {WAYS.map((way) => (
            <TabsContent key={way} value={way} className="grid gap-3">
              <p className="text-sm">{t(`connect.how.${way}`)}</p>
              <Snippet text={filled(way, blanks)} />
            </TabsContent>
          ))}
        </Tabs>
        {!made && mayMake && (
          <Button
            variant="primary"
            icon={KeyRound}
            className="justify-self-start"
            disabled={isPending}
            onClick={() => mutate({ ...TOKEN, scopes: [...TOKEN.scopes] })}
          >
            {t('connect.make')}
          </Button>
        )}
        {who && !mayMake && <p className="text-sm">{t('connect.adminOnly')}</p>}
        {error && <ErrorState error={error} />}
        {made && <p className="text-muted-foreground text-sm">{t('connect.made')}</p>}
        {made && <FirstAnswer since={made.created_at} />}
      </Card>
    </div>
  )
}

/** A text to paste, whole at one press. */
function Snippet({ text }: { text: string }) {
  const { t } = useTranslation('settings')
  return (
    <div className="grid justify-items-start gap-2">
      <pre className="bg-muted w-full rounded-md p-3 font-mono text-sm break-words whitespace-pre-wrap">
        {text}
      </pre>
      <Button
        size="sm"
        icon={Copy}
        onClick={() => copyText(text, t('tokens.copied'), t('tokens.copyByHand'))}
      >
        {t('tokens.copy')}
      </Button>
    </div>
  )
}

/** Waits for the first answer after that moment, then for its verdict. */
function FirstAnswer({ since }: { since: string }) {
  const { t } = useTranslation('settings')
  const { data: page } = queries.useQuery(
    'get',
    '/qa-evaluations',
    { params: { query: { since, limit: 1 } } },
    { refetchInterval: ({ state }) => (state.data?.items.length ? false : POLL_MS) },
  )
  const id = page?.items[0]?.id ?? null
  const { view } = useVerdict(id)
  return (
    <section aria-label={t('connect.first')} className="border-border border-t pt-4">
      <div aria-live="polite" className="grid justify-items-start gap-2">
        {view ? (
          <>
            <p className="font-medium">{view.question}</p>
            <VerdictStatus verdict={view} />
            <ButtonLink size="sm" to={`/evaluations/${view.id}`}>
              {t('connect.open')}
            </ButtonLink>
          </>
        ) : (
          <Spinner label={t('connect.waiting')} />
        )}
      </div>
    </section>
  )
}
