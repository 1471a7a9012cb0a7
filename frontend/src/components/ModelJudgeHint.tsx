import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '@/components/ui'
import { useModelJudgeHint } from '@/hooks/rulesVerdicts'

const COMMANDS = `export OPENAI_API_KEY=…
SEARCHQA_JUDGE_MODEL=openai:gpt-6-luna searchqa up`

/** Says once how a model judges instead of rules. */
export function ModelJudgeHint() {
  const { t } = useTranslation(['ai', 'common'])
  const { due } = useModelJudgeHint()
  if (!due) return null
  return (
    <aside className="bg-muted grid gap-2 rounded-md p-3 text-sm">
      <div className="flex items-start justify-between gap-2">
        <p>{t('ai:chat.modelJudge')}</p>
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('common:close')}
          onClick={() => useModelJudgeHint.setState({ due: false })}
          icon={X}
        />
      </div>
      <pre className="overflow-x-auto">{COMMANDS}</pre>
    </aside>
  )
}
