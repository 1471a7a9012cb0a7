import { useTranslation } from 'react-i18next'

// As `app.text.redaction` writes them; marks of a workspace's own pattern may have other names.
export const REDACTED = /\[((?:email|phone|resident number|private) \d{5})\]/g

/** Personal data that was replaced before the text was stored: its kind, and the digits that tell
 * one value from another. */
export function RedactedMark({ mark }: { mark: string }) {
  const { t } = useTranslation('ai')
  const kind = mark.slice(0, -6) as 'email' | 'phone' | 'resident number' | 'private'
  return (
    <span
      title={t('redacted.title')}
      className="bg-muted text-muted-foreground rounded px-1 text-[0.85em] whitespace-nowrap"
    >
      {t(`redacted.${kind}`)} {mark.slice(-5)}
    </span>
  )
}

/** A text with its marks. */
export function RedactedText({ text }: { text: string }) {
  return text
    .split(REDACTED)
    .map((part, index) => (index % 2 ? <RedactedMark key={index} mark={part} /> : part))
}
