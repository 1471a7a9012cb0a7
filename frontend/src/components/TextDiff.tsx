import { useTranslation } from 'react-i18next'

import { textDiff, type Part } from '@/lib/textDiff'

interface Props {
  before: string
  after: string
  /** Headings of the two texts. */
  beforeTitle: string
  afterTitle: string
}

/** Two texts side by side; what only one of them has is marked by more than its colour. */
export function TextDiff({ before, after, beforeTitle, afterTitle }: Props) {
  const parts = textDiff(before, after)
  return (
    <div className="grid min-w-0 gap-4 md:grid-cols-2">
      <Side title={beforeTitle} parts={parts.before} mark="del" />
      <Side title={afterTitle} parts={parts.after} mark="ins" />
    </div>
  )
}

const LOOKS = {
  del: 'bg-danger-soft text-danger-foreground line-through',
  ins: 'bg-success-soft text-success-foreground underline underline-offset-2',
} as const

function Side({ title, parts, mark: Mark }: { title: string; parts: Part[]; mark: 'del' | 'ins' }) {
  const { t } = useTranslation()
  return (
    <div className="min-w-0">
      <h3 className="text-muted-foreground mb-1 text-xs font-medium">{title}</h3>
      <p className="break-words whitespace-pre-wrap">
        {parts.map(({ text, changed }, at) =>
          changed && text.trim() ? (
            <Mark key={at} className={LOOKS[Mark]}>
              {/* Screen readers seldom say what <del> and <ins> are; a copied text is without it. */}
              <span className="sr-only select-none">{t(`diff.${Mark}`)} </span>
              {text}
              <span className="sr-only select-none"> {t('diff.end')} </span>
            </Mark>
          ) : (
            text
          ),
        )}
      </p>
    </div>
  )
}
