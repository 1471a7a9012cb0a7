import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'

import { AnswerVerdict } from '@/components/answer/AnswerVerdict'
import type { Schema } from '@/lib/api'
import { changeLanguage } from '@/lib/language'
import { type EvaluationView, needsImprovement, type Verdict } from '@/lib/verdict'
import { evaluation, JUDGED } from '@/testing/evaluation'
import { renderInApp } from '@/testing/render'
import { server } from '@/testing/server'

import { ClaimList } from './ClaimList'
import { VerdictStatus } from './VerdictStatus'
import { VerdictDetails } from './VerdictWhy'

type Feedback = NonNullable<EvaluationView['feedback']>
const RULES = { source: 'rules', fallback: null } as const
const FEEDBACK: Feedback = {
  overall_score: 0.6,
  needs_improvement: true,
  citation: {
    ...RULES,
    context_relevance: 0.5,
    citation_relevance: 1,
    citations: [],
    unknown_notes: [],
  },
  completeness: {
    ...RULES,
    completeness: null,
    nuggets: [{ text: '어닐링 온도', importance: 'vital', support: 'not' }],
  },
  groundedness: { ...RULES, fallback: 'timeout', groundedness: 0.25, claims: [] },
  next_steps: {
    ...RULES,
    urgency: 'high',
    suggested_queries: ['어닐링 온도는?'],
    action_items: ['프로토콜 확인'],
  },
}

describe.each([
  ['queued', {}, '평가를 기다리는 중입니다', 'Waiting to be judged'],
  ['running', {}, '평가하는 중입니다', 'Being judged'],
  ['retrying', {}, '평가 모델에서 평가를 받지 못해 곧 다시 시도합니다', /retrying soon/],
  [
    'retrying',
    { error: 'malformed: the reply is not valid JSON' },
    '평가 모델의 응답을 쓸 수 없어 곧 다시 시도합니다',
    "The judge's reply was unusable; retrying soon",
  ],
  [
    'retrying',
    { next_attempt_at: '2026-01-01T00:00:00Z' },
    /\d+:\d+.*다시 시도/,
    /retrying at .*\d+:\d+/,
  ],
  ['queued', { reason: 'judge_paused' }, /일시 중지되어/, /The judge is paused/],
  ['retrying', { reason: 'judge_paused' }, /일시 중지되어/, /The judge is paused/],
  ['skipped', { reason: 'disabled' }, /평가가 꺼져 있어/, /judging is turned off/],
  ['skipped', { reason: 'sampled_out' }, /표본에 포함되지 않아/, /not in the sample/],
  ['skipped', { reason: 'no_context' }, /찾은 노트가 없어/, /no notes to compare/],
  [
    'skipped',
    { reason: 'not_search_qa' },
    /노트를 근거로 한 답변이 아니어서/,
    /does not come from notes/,
  ],
  ['skipped', { reason: 'cancelled' }, /취소되어/, /was cancelled/],
  ['skipped', { reason: 'filtered_feature' }, /이 기능의 답변은/, /of this feature/],
  ['skipped', { reason: 'filtered_language' }, /이 언어의 답변은/, /in this language/],
  ['skipped', { reason: 'filtered_length' }, /답변의 길이가/, /of this length/],
  ['skipped', { reason: 'filtered_notebook' }, /이 노트북의 답변은/, /from this notebook/],
  ['queued', { reason: 'for_batch' }, /배치로 보내기 위해/, /to be sent in a batch/],
  ['queued', { reason: 'in_batch' }, /배치에서 평가 중/, /In a batch at the model provider/],
  ['queued', { reason: 'budget_held' }, /예산이 .*기다립니다/, /reserved for other verdicts/],
  ['queued', { reason: 'budget_spent' }, /예산을 모두 사용했습니다.*날이 바뀌면/, /spent.*new day/],
  [
    'queued',
    { reason: 'budget_spent', next_attempt_at: '2026-01-01T00:00:00Z' },
    /예산을 모두 사용했습니다.* \d+:\d+ 이후에/,
    /spent.* after .*\d+:\d+/,
  ],
  ['queued', { reason: 'fallback' }, /대체 모델이 이어서/, /a fallback model takes over/],
  ['queued', { reason: 'cascade' }, /다음 순서의 평가 모델/, /next judge of the cascade/],
  ['queued', { reason: 'rules_fallback' }, /규칙으로 평가합니다/, /judging by rules instead/],
  ['running', { reason: 'fallback' }, '평가하는 중입니다', 'Being judged'],
  ['skipped', { reason: 'a_new_one' }, '평가하지 않았습니다', 'Not judged'],
  ['failed', { error: 'permanent: no such model' }, /평가하지 못했습니다/, /Judging failed/],
  ['not_stored', {}, /저장하지 못해/, /could not be stored/],
  ['succeeded', {}, '평가가 끝났습니다', 'Judged'],
] as [Verdict['status'], Partial<Verdict>, string | RegExp, string | RegExp][])(
  'a verdict that is %s, %j',
  (status, change, ko, en) => {
    it('is told in both languages, with its error', async () => {
      const verdict: Verdict = { ...evaluation(), ...change, status }
      const { unmount } = renderInApp(<VerdictStatus verdict={verdict} />)
      expect(screen.getByText(ko)).toBeVisible()
      if (verdict.error !== null) expect(screen.getByText(verdict.error)).toBeInTheDocument()
      unmount()
      await changeLanguage('en')
      renderInApp(<VerdictStatus verdict={verdict} />)
      expect(screen.getByText(en)).toBeVisible()
    })
  },
)

it.each([
  ['model', false, 'openai', 'gpt-4o', '노트로 확인됨', '평가: openai:gpt-4o', null],
  ['rules', false, 'offline', 'rules', '노트와 일치', /^평가: 규칙 평가\(/, /보장은 없습니다/],
  ['local', false, 'local', '/m/d', '노트로 확인됨', '평가: 로컬 모델(local:/m/d)', /확률만/],
  ['rules', true, 'offline', 'rules', '노트와 일치', /^평가: 규칙/, /평가 모델이 실패해/],
] as const)(
  'high by %s, degraded %s, says who judged and what that is worth',
  (judged_by, degraded, provider, model, badge, judge, limits) => {
    const verdict = evaluation({
      status: 'succeeded',
      ...{ judged_by, degraded, provider, model },
      qa_evaluation: {
        ...{ ...JUDGED, state: 'confirmed', confidence: 'high', grounding_issues: [] },
        outcome: provider === 'offline' ? 'matches' : null,
      },
      quality: {
        passed: true,
        pass_ratio: 0.75,
        source: judged_by === 'model' ? 'judge' : 'rules',
        items: [true, true, true, false].map((passed) => ({ item: '?', passed, reason: '' })),
      },
    })
    renderInApp(<VerdictStatus verdict={verdict} />)
    expect(screen.getByText(badge).classList.contains('bg-success-soft')).toBe(limits === null)
    expect(screen.getByText(judge)).toBeVisible()
    expect(Boolean(screen.queryByText('높은 신뢰도'))).toBe(judged_by === 'model')
    expect(screen.getByText(/체크리스트 통과 3\/4/)).toBeVisible()
    if (limits) expect(screen.getByText(limits)).toBeVisible()
    else expect(screen.queryByText(/보장은 없습니다|확률만/)).toBeNull()
  },
)

it('a lowered confidence says why it is not high', () => {
  const flags = ['confidence_lowered:grounding_issue']
  const verdict = evaluation({ status: 'succeeded', qa_evaluation: { ...JUDGED, flags } })
  renderInApp(<VerdictStatus verdict={verdict} />)
  expect(screen.getByText(/한 단계 낮췄습니다/)).toBeVisible()
})

it.each([
  ['holds', '이런 답변 100개 중 95개 이상을 사람도 맞다고 봅니다'],
  ['below', '보장은 정확성 0.93부터 적용됩니다'],
  ['lapsed', '보장이 만료되었습니다'],
] as const)('a guarantee that %s says so beside the badge', (state, told) => {
  const guarantee = {
    ...{ state, precision: 0.95, confidence: 0.9, threshold: 0.93, labels: 240 },
    ...{ labels_right: 236, calibrated_at: '2026-11-20T00:00:00Z' },
  }
  const judged = { ...JUDGED, confidence: 'high' as const, guarantee, probability: 0.97 }
  renderInApp(
    <VerdictStatus verdict={evaluation({ status: 'succeeded', qa_evaluation: judged })} />,
  )
  expect(screen.getByText(new RegExp(told))).toBeVisible()
  expect(screen.getByText(/97%를 사람이 맞다고/)).toBeVisible()
})

it('a score below that of the guarantee says why it is not high', () => {
  const flags = ['confidence_lowered:below_guarantee']
  const verdict = evaluation({ status: 'succeeded', qa_evaluation: { ...JUDGED, flags } })
  renderInApp(<VerdictStatus verdict={verdict} />)
  expect(screen.getByText(/보장 기준에 못 미쳐/)).toBeVisible()
})

const RULED = {
  status: 'succeeded',
  judged_by: 'rules',
  provider: 'offline',
  model: 'rules',
} as const
const CLAIM = {
  ...{ position: 1, claim: '변성은 72도', verdict: 'unsupported' as const, note_index: 1 },
  ...{ quote: '변성: 95도', quote_found: true, start: 0, end: 7, reasoning: '' },
}

const STATES = {
  matches: 'confirmed',
  mismatch: 'contradicted',
  undecided: 'not_judged',
  rightly_refused: 'rightly_refused',
  falsely_refused: 'falsely_refused',
} as const

describe('a verdict of rules', () => {
  const judged = (outcome: NonNullable<typeof JUDGED.outcome>, decided = true) =>
    evaluation({
      ...RULED,
      qa_evaluation: {
        ...{ ...JUDGED, outcome, decided, state: STATES[outcome] },
        grounding_issues: ['“변성은 72도” – 노트에는 다른 값이 적혀 있습니다: 72도'],
      },
      feedback: {
        ...FEEDBACK,
        ...{
          needs_improvement: true,
          groundedness: { ...RULES, groundedness: 0, claims: [CLAIM] },
        },
      },
    })

  it.each(['matches', 'mismatch', 'undecided', 'rightly_refused', 'falsely_refused'] as const)(
    'that %s has no percentage, no bar and no amber',
    (outcome) => {
      const { container } = renderVerdict(judged(outcome, outcome !== 'undecided'))
      expect(screen.queryAllByRole('progressbar', { hidden: true })).toEqual([])
      expect(container).not.toHaveTextContent('%')
      expect(container.innerHTML).not.toContain('warning')
    },
  )

  it('that differs shows the sentences of answer and note side by side, and why', async () => {
    const { container, user } = renderVerdict(judged('mismatch'))
    await user.click(screen.getByText('평가 자세히 보기'))
    const [answer, note] = [...container.querySelectorAll('dd')].map((side) => side.textContent)
    expect([answer, note]).toEqual(['변성은 72도', '변성: 95도'])
    expect(screen.getByText('노트에는 다른 값이 적혀 있습니다: 72도')).toBeVisible()
    expect(screen.getByText('이 답변은 개선이 필요합니다.')).toBeVisible()
  })

  it('that matches asks for no better answer', () => {
    renderVerdict(judged('matches'))
    expect(screen.queryByText('이 답변은 개선이 필요합니다.')).toBeNull()
  })

  it.each(['undecided', 'rightly_refused'] as const)('%s holds nothing against it', (outcome) => {
    renderVerdict(judged(outcome, false))
    expect(screen.getByText(JUDGED.summary)).toBeInTheDocument()
    expect(screen.queryByText('변성은 72도')).toBeNull()
    expect(screen.queryByText('이 답변은 개선이 필요합니다.')).toBeNull()
  })
})

it('what speaks against the verdict itself is told, known or not', () => {
  const flags = [
    'score_contradicts_issues',
    'quote_not_found:2',
    'quote_not_found:5',
    'quote_in_other_note:3',
    'claim_not_judged:4',
    'nothing_claimed',
    'confidence_lowered:unsupported_claim',
    'confidence_lowered:below_guarantee',
    'claims_limit_reached',
    'phases_ended:20 s',
    'of_tomorrow:1',
  ]
  renderVerdict(evaluation({ status: 'succeeded', qa_evaluation: { ...JUDGED, flags } }))
  const doubts = screen.getByRole('heading', { name: '이 평가에서 의심스러운 점', hidden: true })
  const told = within(doubts.parentElement ?? doubts).getAllByRole('listitem', { hidden: true })
  expect(told.map((line) => line.textContent)).toEqual([
    '점수와 근거 이슈가 서로 맞지 않습니다.',
    '평가 모델의 인용문이 노트에 없거나 근거가 되지 못합니다.',
    '평가 모델의 인용문이 지목한 노트가 아닌 다른 노트에 있습니다.',
    '평가 모델이 수치가 있는 문장을 평가하지 않았습니다.',
    '평가 모델이 확인할 주장을 찾지 못했습니다.',
    '근거 없는 주장이 있어 신뢰도를 낮췄습니다.',
    '규칙으로 하는 단계별 평가가 한도를 넘어 중단되었습니다: 20 s',
    'of_tomorrow:1',
  ])
})

it.each(['model', 'local', 'rules'] as const)(
  'a refusal judged by %s has no score',
  (judged_by) => {
    const verdict = (outcome: 'rightly_refused' | 'falsely_refused') =>
      evaluation({
        ...{ status: 'succeeded', judged_by },
        qa_evaluation: {
          ...JUDGED,
          outcome,
          state: outcome,
          grounding_issues: ['노트에 답이 있습니다: “95도”'],
        },
      })
    const { unmount, container } = renderVerdict(verdict('rightly_refused'))
    expect(screen.getByText(/노트에 없다고 바르게 답함/)).toBeVisible()
    expect(container).not.toHaveTextContent('%')
    expect(container).not.toHaveTextContent('노트에 답이')
    expect(needsImprovement(verdict('rightly_refused'))).toBe(false)
    unmount()
    renderVerdict(verdict('falsely_refused'))
    expect(screen.getByText(/노트에 있는데 없다고 답함/)).toBeVisible()
    expect(screen.getByText('노트에 답이 있습니다: “95도”')).toBeVisible()
  },
)

it.each([
  ['unsupported', 'contradicted', '노트와 다름', '노트 1: “95도”'],
  ['unsupported', 'not_in_notes', '노트에 없음', '가장 가까운 내용 – 노트 1: “95도”'],
  ['partly', 'misattributed', '일부 근거 있음 · 다른 노트의 내용', '노트 1: “95도”'],
  ['partly', 'stitched', '일부 근거 있음 · 따로 적힌 내용을 이어 붙임', '노트 1: “95도”'],
  ['unsupported', null, '근거 없음', '노트 1: “95도”'],
] as const)('a claim that is %s, %s', (verdict, fault, words, noted) => {
  const claim = { ...CLAIM, verdict, fault, quote: '95도' }
  renderInApp(<ClaimList claims={[claim]} source="judge" />)
  expect(screen.getByText(words)).toBeVisible()
  expect(screen.getByText(noted)).toBeVisible()
})

it('claims that are supported are folded below the others', () => {
  const claim = { note_index: null, quote: '', quote_found: null, start: null, end: null }
  const claims = [
    { ...claim, position: 1, claim: '변성은 95도', verdict: 'supported' as const, reasoning: '' },
    { ...claim, position: 2, claim: '연장은 20도', verdict: 'unsupported' as const, reasoning: '' },
  ]
  renderInApp(<ClaimList claims={claims} source="judge" />)
  expect(screen.getByText('연장은 20도')).toBeVisible()
  expect(screen.getByText('변성은 95도')).not.toBeVisible()
  expect(screen.getByText('근거 있는 주장 1개')).toBeVisible()
})

it('a judge that stood in for another is told, and why', () => {
  const verdict = evaluation({
    status: 'succeeded',
    qa_evaluation: JUDGED,
    fallback_because: 'openai:gpt-4o: status 503',
  })
  renderInApp(<VerdictStatus verdict={verdict} />)
  expect(screen.getByText('지정된 모델 대신 다른 모델이 평가했습니다')).toBeVisible()
  expect(screen.getByText('openai:gpt-4o: status 503')).toBeInTheDocument()
})

it.each([
  [
    { answer_chars: 52_000, judged_answer_chars: 47_980, note_chars: 10, judged_note_chars: 10 },
    [],
    '답변이 길어 전체 52,000자 가운데 앞 47,980자만 평가했습니다.',
    'The answer is long: only its first 47,980 of 52,000 characters were judged.',
  ],
  [
    { answer_chars: 9, judged_answer_chars: 9, note_chars: 30_000, judged_note_chars: 24_000 },
    [],
    '노트가 길어 전체 30,000자 가운데 24,000자만 읽었습니다.',
    'The notes are long: only 24,000 of 30,000 characters were read.',
  ],
  [
    null,
    ['claims_limit_reached'],
    '주장이 많아 일부는 평가하지 못했습니다.',
    'The answer makes many claims; some of them were not judged.',
  ],
])('what was not judged stands beside the confidence: %j', async (extent, flags, ko, en) => {
  const verdict = evaluation({
    status: 'succeeded',
    qa_evaluation: { ...JUDGED, extent, flags },
  })
  const { unmount } = renderInApp(<VerdictStatus verdict={verdict} />)
  expect(screen.getByText(ko)).toBeVisible()
  unmount()
  await changeLanguage('en')
  renderInApp(<VerdictStatus verdict={verdict} />)
  expect(screen.getByText(en)).toBeVisible()
})

it('nothing is said where everything was judged', () => {
  const extent = { answer_chars: 9, judged_answer_chars: 9, note_chars: 5, judged_note_chars: 5 }
  const judged = { ...JUDGED, extent }
  renderInApp(
    <VerdictStatus verdict={evaluation({ status: 'succeeded', qa_evaluation: judged })} />,
  )
  expect(screen.queryByText(/평가했습니다/)).toBeNull()
})

function renderVerdict(verdict: EvaluationView, judgedAgain?: string) {
  return renderInApp(
    <AnswerVerdict
      question="변성 온도는?"
      answer={verdict.answer}
      verdict={verdict}
      refinement={verdict.refinement}
      onOpenNote={vi.fn()}
      onAsk={vi.fn()}
      busy={false}
      judgedAgain={judgedAgain}
    />,
  )
}

it('an answer that needs it is improved on request', async () => {
  let asked = 0
  const verdict = evaluation({ status: 'succeeded', qa_evaluation: JUDGED, feedback: FEEDBACK })
  server.use(
    http.post(`/qa-evaluations/${verdict.id}/refine`, () => {
      asked += 1
      return HttpResponse.json({}, { status: 202 })
    }),
  )
  const { user } = renderVerdict(verdict)
  await user.click(screen.getByRole('button', { name: '이 답변 개선하기' }))
  await waitFor(() => {
    expect(asked).toBe(1)
  })
})

it.each([
  ['a good answer', { feedback: { ...FEEDBACK, needs_improvement: false } }],
  ['one that is not judged yet', { status: 'running' }],
  [
    'one that was tried already',
    {
      refinement: {
        id: 'r',
        automatic: false,
        status: 'failed',
        stop_reason: null,
        best_iteration: null,
        lift: null,
      },
    },
  ],
] as [string, Partial<EvaluationView>][])('nothing is offered for %s', (_, change) => {
  server.use(
    http.get('/refinements/r', () =>
      HttpResponse.json({ stop_reason: null, correctness_lift: null, iterations: [] }),
    ),
  )
  renderVerdict(
    evaluation({ status: 'succeeded', qa_evaluation: JUDGED, feedback: FEEDBACK, ...change }),
  )
  expect(screen.queryByRole('button', { name: '이 답변 개선하기' })).toBeNull()
})

it('without phases it is the low confidence that offers one', () => {
  const low = { ...JUDGED, confidence: 'low' as const }
  renderVerdict(evaluation({ status: 'succeeded', qa_evaluation: low }))
  expect(screen.getByRole('button', { name: '이 답변 개선하기' })).toBeVisible()
})

it('leads to the verdict that counts where the answer was judged again', () => {
  renderVerdict(evaluation({ status: 'succeeded', qa_evaluation: JUDGED }), 'another')
  expect(screen.getByRole('link', { name: '최신 평가 보기' })).toHaveAttribute(
    'href',
    expect.stringContaining('/evaluations/another'),
  )
})

it('details name the notes, the issues, the phases and what they leave open', async () => {
  const onOpenNote = vi.fn()
  const verdict = evaluation({ status: 'succeeded', qa_evaluation: JUDGED, feedback: FEEDBACK })
  const { user } = renderInApp(<VerdictDetails verdict={verdict} onOpenNote={onOpenNote} />)
  expect(screen.getByText('노트 1개 중 1개를 인용했습니다')).toBeVisible()
  await user.click(screen.getByRole('button', { name: '1. PCR 조건' }))
  expect(onOpenNote).toHaveBeenCalledWith(1, '변성: 95도')
  expect(screen.getByText('72도는 노트에 없습니다')).toBeVisible()
  expect(screen.getByRole('progressbar', { name: '근거성' })).toHaveAttribute('aria-valuenow', '25')
  expect(screen.getByText('확인할 내용 없음')).toBeVisible()
  expect(screen.getByText('모델 대신 규칙으로 확인했습니다')).toBeVisible()
  expect(screen.getByText(/어닐링 온도/)).toHaveTextContent('(필수, 누락)')
})

function round(change: Partial<Schema<'IterationView'>>): Schema<'IterationView'> {
  return {
    position: 0,
    query: '?',
    rewritten_by: null,
    searched: true,
    documents: [],
    answer: null,
    grounding: null,
    completeness: null,
    accuracy: null,
    overall_score: null,
    missing_info: null,
    improvement_suggestions: null,
    needs_retrieval: null,
    reason: null,
    heuristic: false,
    judged_by: null,
    correctness: null,
    utility: null,
    confidence: null,
    verdict_overall: null,
    verdict_error: null,
    calls: 0,
    ...change,
  }
}

it('next steps ask, and a better answer stands beside the first', async () => {
  const refinement = {
    id: '01900000-0000-7000-8000-0000000000aa',
    automatic: true,
    status: 'succeeded',
    stop_reason: 'threshold',
    best_iteration: 1,
    lift: 0.2,
  } as const
  const iterations = [
    round({ answer: '처음', overall_score: 0.3, needs_retrieval: false, calls: 1 }),
    round({
      position: 1,
      searched: false,
      answer: '더 **나은** 답변',
      documents: [{ id: '1', title: '노트 가', content: '' }],
      overall_score: 0.5,
      heuristic: true,
      calls: 5,
    }),
  ]
  const measured = {
    correctness_lift: 0.25,
    utility_lift: -0.1,
    relevance: 'words',
    targeted_retrieval: 0.5,
    first_precision: 0.4,
    last_precision: 0.6,
    first_recall: 0.5,
    last_recall: 1,
  }
  server.use(
    http.get(`/refinements/${refinement.id}`, () =>
      HttpResponse.json({ ...refinement, ...measured, iterations }),
    ),
  )
  const onAsk = vi.fn()
  const verdict = evaluation({ status: 'succeeded', feedback: FEEDBACK, refinement })
  const { user } = renderInApp(
    <AnswerVerdict
      question="변성 온도는?"
      answer="처음 답변이다"
      verdict={verdict}
      refinement={refinement}
      onOpenNote={vi.fn()}
      onAsk={onAsk}
      busy={false}
    />,
  )
  await user.click(screen.getByRole('button', { name: '어닐링 온도는?' }))
  expect(onAsk).toHaveBeenCalledWith('어닐링 온도는?')
  expect(await screen.findByText('나은')).toBeVisible()
  expect(screen.getByText('처음 답변이다')).toBeVisible()
  expect(screen.getByText('종합 점수 20% 상승')).toBeVisible()

  const report = screen.getByRole('region', { name: '답변 개선 과정' })
  expect(report).toHaveTextContent('자동으로 개선을 시도했습니다')
  expect(report).toHaveTextContent('같은 평가 모델의 점수 변화: 정확성 +25%, 유용성 -10%')
  expect(report).toHaveTextContent('정밀도 40% → 60% · 재현율 50% → 100%')
  expect(report).toHaveTextContent('모델 호출 6회')
  await user.click(within(report).getByText('회차별로 보기'))
  const [first, second] = within(report).getAllByRole('listitem')
  expect(first).toHaveTextContent('찾은 노트로 충분합니다')
  expect(second).toHaveTextContent('같은 노트로 답변만 다시 썼습니다')
  expect(second).toHaveTextContent('어림한 점수')
})
