import type { EvaluationView } from '@/lib/verdict'

/** A verdict as the API gives it, waiting if nothing else is said. */
export function evaluation(change: Partial<EvaluationView> = {}): EvaluationView {
  return {
    id: '01900000-0000-7000-8000-00000000000e',
    answer_id: '01900000-0000-7000-8000-00000000000a',
    status: 'queued',
    reason: null,
    error: null,
    degraded: false,
    judged_by: null,
    is_current: true,
    policy_version: 0,
    current_id: '01900000-0000-7000-8000-00000000000e',
    attempt: 0,
    question: '변성 온도는?',
    answer: '95도입니다 [노트 1].',
    lang: 'ko',
    feature: 'search_qa',
    search: { method: 'keyword', events: [], evidence: [] },
    evaluators: ['search_qa'],
    judge_model: 'offline:rules',
    provider: null,
    model: null,
    prompt_version: null,
    prompt_tokens: null,
    completion_tokens: null,
    cost_usd: null,
    queue_ms: null,
    judge_ms: null,
    created_at: '2026-01-01T00:00:00Z',
    started_at: null,
    finished_at: null,
    next_attempt_at: null,
    qa_evaluation: null,
    quality: null,
    feedback: null,
    refinement: null,
    human: null,
    fallback_because: null,
    ...change,
  }
}

export const JUDGED: NonNullable<EvaluationView['qa_evaluation']> = {
  correctness: 0.9,
  utility: 0.4,
  confidence: 'medium',
  source_coverage: [
    {
      note_index: 1,
      note_id: '01900000-0000-7000-8000-000000000001',
      note_title: 'PCR 조건',
      cited: true,
      relevant_claim: '변성은 95도',
      quote: '변성: 95도',
      quote_found: true,
    },
  ],
  grounding_issues: ['72도는 노트에 없습니다'],
  summary: '대체로 맞습니다.',
  flags: [],
}
