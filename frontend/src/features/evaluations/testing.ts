import type { EvaluationRow } from './api/list'

/** A row of the list, judged by rules. */
export function row(id: string, fields: Partial<EvaluationRow> = {}): EvaluationRow {
  return {
    id,
    answer_id: `a-${id}`,
    status: 'succeeded',
    reason: null,
    error: null,
    degraded: false,
    judged_by: 'rules',
    is_current: true,
    question: `질문 ${id}`,
    lang: 'ko',
    feature: 'search_qa',
    notebook_id: null,
    answer_model: 'm',
    judge_model: 'offline:rules',
    provider: 'offline',
    model: 'rules',
    confidence: 'high',
    outcome: 'matches',
    decided: true,
    correctness: 0.9,
    utility: 0.8,
    overall_score: 0.9,
    needs_improvement: false,
    cost_usd: null,
    created_at: '2026-06-01T00:00:00Z',
    answered_at: '2026-06-01T00:00:00Z',
    finished_at: null,
    quality: null,
    human: null,
    answer_snippet: '답변',
    issues: 0,
    ...fields,
  }
}
