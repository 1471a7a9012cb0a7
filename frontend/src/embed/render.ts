import { bylineKey, stateKey, stateLook } from '@/lib/answerState'
import type { Schema } from '@/lib/api'
import { claimKeys, CLAIM_LOOKS } from '@/lib/claimLook'
import { guaranteeLine } from '@/lib/guarantee'
import { listsFindings, loweredLine, outcomeOf, voiceOf } from '@/lib/judge'
import { momentOf, statusLine } from '@/lib/statusLine'
import { unjudged } from '@/lib/unjudged'

import { icon, type IconName } from './icons'
import type { Translate } from './texts'

export type ReaderVerdict = Schema<'ReaderVerdict'>
/** Why there is no verdict to show; a string of `embed`. */
export type Trouble = 'expired' | 'refused' | 'notFound' | 'unreachable'

const ICONS: Partial<Record<ReaderVerdict['status'], IconName>> = {
  queued: 'clock',
  retrying: 'clock',
  running: 'loader',
}

/** An element with text; a verdict is somebody else's words and never markup. */
function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}

/** What stands where the badge is while there is none. */
export function troubleLine(trouble: Trouble | 'loading', t: Translate): HTMLElement {
  const name = trouble === 'loading' ? 'loader' : 'triangle-alert'
  return element('span', 'line', icon(name), t(`embed.${trouble}`))
}

/** The badge, or where the verdict stands. */
export function state(verdict: ReaderVerdict, t: Translate, language: string): HTMLElement {
  const { status, qa_evaluation: evaluation } = verdict
  if (status === 'succeeded' && evaluation) {
    const voice = voiceOf(verdict)
    const look = stateLook(evaluation.state, voice)
    const byline = bylineKey(evaluation, voice)
    const words = t(stateKey(evaluation))
    const badge = element('span', `badge ${look.variant} ${voice}`, icon(look.icon), words)
    const shown = byline ? [badge, ' ', element('span', 'note', t(byline))] : [badge]
    if (outcomeOf(evaluation, voice) === 'undecided') {
      const why = element('span', 'note', evaluation.summary)
      why.lang = verdict.lang
      shown.push(' ', why)
    }
    return element('span', '', ...shown)
  }
  const { key, at } = statusLine(verdict)
  const words = t(key, at && { time: momentOf(at, language) })
  const name = ICONS[status]
  return element('span', 'line', ...(name ? [icon(name)] : []), words)
}

/** What the verdict rests on; nothing until there is one. */
export function details(verdict: ReaderVerdict, t: Translate, language: string): HTMLElement[] {
  const evaluation = verdict.qa_evaluation
  if (verdict.status !== 'succeeded' || !evaluation) return []
  const voice = voiceOf(verdict)
  const outcome = outcomeOf(evaluation, voice)
  const shown: HTMLElement[] = []
  const inItsLanguage = (made: HTMLElement) => {
    made.lang = verdict.lang
    return made
  }
  if (evaluation.summary && outcome !== 'undecided')
    shown.push(inItsLanguage(element('p', '', evaluation.summary)))
  if (voice !== 'model') shown.push(element('p', 'note', t(`limits.${voice}`)))
  const lowered = loweredLine(evaluation)
  if (lowered) shown.push(element('p', 'note', t(lowered)))
  const promised = guaranteeLine(evaluation.guarantee, language)
  if (promised) shown.push(element('p', 'note', t(promised.key, promised.values)))
  for (const { key, values } of unjudged(evaluation, language)) {
    shown.push(element('p', outcome ? 'note' : 'doubt', t(key, values)))
  }
  if (!listsFindings(outcome)) return shown
  const claims = doubtfulClaims(verdict, t, inItsLanguage)
  // Issues would say the same again.
  if (claims.length > 0) return [...shown, ...claims]
  shown.push(element('h3', '', t('qaGroundingIssues')))
  const none = t(voice === 'local' ? 'noIssues.local' : 'qaNoIssues')
  const issues = evaluation.grounding_issues.map((issue) => inItsLanguage(element('li', '', issue)))
  shown.push(issues.length ? element('ul', '', ...issues) : element('p', 'note', none))
  return shown
}

/** The claims that the notes do not bear out, or only in part. */
function doubtfulClaims(
  { feedback }: ReaderVerdict,
  t: Translate,
  inItsLanguage: (made: HTMLElement) => HTMLElement,
): HTMLElement[] {
  const found = feedback?.groundedness
  const doubtful = found?.claims.filter(({ verdict }) => verdict !== 'supported') ?? []
  if (!found || doubtful.length === 0) return []
  const items = doubtful.map((claim) => {
    const words = claimKeys(claim)
      .map((key) => t(key))
      .join(' · ')
    const badge = element('span', `badge ${CLAIM_LOOKS[found.source][claim.verdict]}`, words)
    return element('li', '', badge, ' ', inItsLanguage(element('span', '', claim.claim)))
  })
  return [element('h3', '', t('claims')), element('ul', '', ...items)]
}
