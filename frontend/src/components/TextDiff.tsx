import { diffArrays } from 'diff'
import { useTranslation } from 'react-i18next'

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

export interface Part {
  text: string
  /** Not in the other text. */
  changed: boolean
}

// Both cover every character. A word has the spaces behind it, of which two texts may have others.
const WORDS = /^\s+|\S+\s*/g
const SENTENCES = /[^.!?\n]+[.!?\n]*|[.!?\n]+/g
// Of words of one text times words of the other.
const MAX_PAIRS = 4_000_000

/** What two texts have in common, word by word (by eojeol in Korean), and what only one of them
 * has. Very long texts are compared sentence by sentence. */
export function textDiff(before: string, after: string): { before: Part[]; after: Part[] } {
  let [a, b] = [tokens(before, WORDS), tokens(after, WORDS)]
  if (a.length * b.length > MAX_PAIRS)
    [a, b] = [tokens(before, SENTENCES), tokens(after, SENTENCES)]
  const found = { before: [] as Part[], after: [] as Part[] }
  const comparator = (one: string, other: string) => one.trim() === other.trim()
  for (const { count, added, removed } of diffArrays(a, b, { comparator })) {
    if (!added) push(found.before, a.splice(0, count), removed)
    if (!removed) push(found.after, b.splice(0, count), added)
  }
  return found
}

const tokens = (text: string, pattern: RegExp): string[] => text.match(pattern) ?? []

/** Neighbours of one kind are one part. */
function push(parts: Part[], texts: readonly string[], changed: boolean): void {
  const last = parts.at(-1)
  if (last?.changed === changed) last.text += texts.join('')
  else parts.push({ text: texts.join(''), changed })
}
