import type { Schema } from './api'

type Judged = Pick<Schema<'SearchQAEvaluationView'>, 'extent' | 'flags'>

interface Line {
  key: `unjudged.${'answer' | 'notes' | 'claims'}`
  values: { judged?: string; total?: string }
}

/** What of the answer or its notes was not judged. Such a verdict is never sure. */
export function unjudged({ extent, flags }: Judged, language: string): Line[] {
  const number = new Intl.NumberFormat(language)
  const of = (judged: number, total: number) => ({
    judged: number.format(judged),
    total: number.format(total),
  })
  const lines: Line[] = []
  if (extent && extent.judged_answer_chars < extent.answer_chars) {
    lines.push({
      key: 'unjudged.answer',
      values: of(extent.judged_answer_chars, extent.answer_chars),
    })
  }
  if (extent && extent.judged_note_chars < extent.note_chars) {
    lines.push({ key: 'unjudged.notes', values: of(extent.judged_note_chars, extent.note_chars) })
  }
  if (flags?.includes('claims_limit_reached')) lines.push({ key: 'unjudged.claims', values: {} })
  return lines
}
