import { useTranslation } from 'react-i18next'

import { outcomeOf, voiceOf } from '@/lib/judge'
import type { Verdict } from '@/lib/verdict'

import { Words } from './Section'

interface Contrast {
  said: string
  why: string
  /** What stands in the note instead; none where no note comes near. */
  noted?: { index: number | null; quote: string } | undefined
}

// As rules write an issue: the sentence of the answer, then what speaks against it.
const ISSUE = /^“(.*)” – (.*)$/s

/** Each sentence of the answer that rules hold against it, with the sentence of the note. inAnswer:
 * also those that the answer's marks show by themselves. */
function contrastsOf(
  { qa_evaluation: evaluation, feedback }: Verdict,
  inAnswer: boolean,
): Contrast[] {
  const claims = feedback?.groundedness?.claims ?? []
  return (evaluation?.grounding_issues ?? []).flatMap((issue) => {
    const [, said = issue, why = ''] = ISSUE.exec(issue) ?? []
    const claim = claims.find(({ claim, quote }) => quote && said.includes(claim))
    const source = evaluation?.source_coverage.find((source) => source.relevant_claim === said)
    const noted = claim ?? source
    const quoted = noted?.quote ? { index: noted.note_index, quote: noted.quote } : undefined
    const isMarked = claims.some(({ claim, start }) => start !== null && said.includes(claim))
    return isMarked && !inAnswer ? [] : [{ said, why, noted: quoted }]
  })
}

interface Props {
  verdict: Verdict
  /** Where the answer stands with its claims marked, each with its quote. */
  besideEvidence?: boolean
}

/** What rules conclude, in sentences: why they cannot tell, or what differs; and of every judge,
 * what the notes say where the answer says that they do not. */
export function RulesFinding({ verdict, besideEvidence = false }: Props) {
  const { qa_evaluation: evaluation } = verdict
  const outcome = evaluation && outcomeOf(evaluation, voiceOf(verdict))
  if (outcome === 'undecided') return <Words>{evaluation?.summary ?? ''}</Words>
  if (outcome !== 'mismatch' && outcome !== 'falsely_refused') return null
  return (
    <ul className="grid gap-2 empty:hidden">
      {contrastsOf(verdict, !besideEvidence).map((contrast) => (
        <Sides key={contrast.said} {...contrast} />
      ))}
    </ul>
  )
}

function Sides({ said, why, noted }: Contrast) {
  const { t } = useTranslation('ai')
  if (!noted && !why) return <li>{said}</li>
  const sides = [
    { name: t('contrast.answer'), text: said, line: 'border-danger' },
    ...(noted
      ? [{ name: t('noteNumber', { index: noted.index }), text: noted.quote, line: 'border-input' }]
      : []),
  ]
  return (
    <li className="grid gap-1">
      <dl className="grid gap-2 sm:grid-flow-col sm:auto-cols-fr">
        {sides.map(({ name, text, line }) => (
          <div key={name} className={`border-l-2 pl-2 ${line}`}>
            <dt className="text-muted-foreground text-xs">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {why && <p className="text-muted-foreground">{why}</p>}
    </li>
  )
}
