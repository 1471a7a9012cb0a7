import { useTranslation } from 'react-i18next'

/** What stands in the places of {about}, {sections} and {form}, whatever the instructions say. */
export function FixedParts({ fixed }: { fixed: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('playground')
  return (
    <details className="bg-muted min-w-0 rounded-md p-3 text-sm">
      <summary className="min-h-6 font-medium">{t('fixed.title')}</summary>
      <p className="mt-2">{t('fixed.text')}</p>
      <dl className="mt-2 grid gap-3">
        {Object.entries(fixed).map(([name, text]) => (
          <div key={name} className="min-w-0">
            <dt className="font-mono text-xs font-medium">{`{${name}}`}</dt>
            <dd className="mt-1 font-mono text-xs break-words whitespace-pre-wrap">
              {text.trim()}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
