import type { Schema } from './api'
import type { Voice } from './judge'
import type { LineKey } from './statusLine'

export type AnswerState = Schema<'ReaderEvaluation'>['state']
export type Confidence = Schema<'ReaderEvaluation'>['confidence']

/** What is needed of a verdict to say it in one word. The API decides the state, for lists and SQL
 * alike; `outcome` says why nothing was judged. */
export interface Stated {
  state: AnswerState
  /** Not known of a run's result. */
  confidence?: Confidence
  outcome?: Schema<'ReaderEvaluation'>['outcome']
}

const TONES = {
  confirmed: 'success',
  incomplete: 'warning',
  off_topic: 'warning',
  partly: 'warning',
  contradicted: 'danger',
  not_in_notes: 'danger',
  falsely_refused: 'danger',
  // Neither praised nor doubted.
  rightly_refused: 'outline',
  not_judged: 'outlineMuted',
} as const
// Rules and detectors cannot know enough to fill a badge.
const OUTLINES = {
  success: 'outlineSuccess',
  warning: 'outline',
  danger: 'outlineDanger',
  outline: 'outline',
  outlineMuted: 'outlineMuted',
} as const
const ICONS = {
  success: 'shield-check',
  warning: 'triangle-alert',
  danger: 'octagon-alert',
  outline: 'shield-check',
  outlineMuted: 'triangle-alert',
} as const
const OTHER_ICONS = { local: 'cpu', rules: 'ruler', degraded: 'unplug' } as const

/** How the badge of a state looks. */
export function stateLook(state: AnswerState, voice: Voice) {
  const tone = TONES[state]
  if (voice === 'model') return { variant: tone, icon: ICONS[tone] }
  return { variant: OUTLINES[tone], icon: OTHER_ICONS[voice] }
}

/** The one word for a verdict. Rules compare and confirm nothing. */
export function stateKey({ state, outcome }: Stated): LineKey {
  if (state === 'confirmed' && outcome === 'matches') return 'state.matches'
  if (state !== 'not_judged') return `state.${state}`
  return outcome === 'undecided' ? 'state.undecided' : 'state.nothing_claimed'
}

const SURE = {
  high: 'qaConfidenceHigh',
  medium: 'qaConfidenceMedium',
  low: 'qaConfidenceLow',
} as const

/** What stands beside the word: the confidence of a model that has judged, or who judged instead;
 * nothing where the word says it all. */
export function bylineKey({ state, confidence }: Stated, voice: Voice): LineKey | null | undefined {
  if (voice !== 'model') return state === 'not_judged' && voice === 'rules' ? null : `by.${voice}`
  // eslint-disable-next-line @typescript-eslint/no-non-null-assertion -- of undefined it is undefined, and the component for other pages has no byte to spare
  return state === 'not_judged' || state.endsWith('refused') ? null : SURE[confidence!]
}
