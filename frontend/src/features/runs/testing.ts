import { HttpResponse } from 'msw'

import type { Schema } from '@/lib/api'

export const NOTEBOOK = { id: 'n1', name: '실험실', notes: 3, created_at: '2026-01-01T00:00:00Z' }

export const CASES = [1, 2, 3].map((n) => ({
  id: `c${n}`,
  position: n - 1,
  question: `질문 ${n}?`,
  ground_truth_chunk_ids: ['p1'],
  reference_answer: null,
  lang: 'ko',
  notes: [],
  expects_refusal: false,
  source: null,
  state: null,
}))

export const PASSAGES = [
  { id: 'p1', note_id: 'note', title: 'PCR', content: 'PCR 변성은 95도에서 한다.' },
]

export function dataset(): Schema<'DatasetView'> {
  return {
    id: 'd1',
    name: 'lab',
    version: 1,
    notebook_id: 'n1',
    origin: { kind: 'generated' },
    cases: 3,
    created_at: '2026-01-01T00:00:00Z',
    review: 'proposed',
  }
}

export function job(changes: Partial<Schema<'JobView'>> = {}): Schema<'JobView'> {
  return {
    id: 'j1',
    kind: 'generate_dataset',
    payload: { name: 'lab' },
    status: 'running',
    attempt: 1,
    done: 0,
    total: null,
    error: null,
    created_at: '2026-01-01T00:00:00Z',
    started_at: null,
    finished_at: null,
    next_attempt_at: null,
    ...changes,
  }
}

/** A stream of states, as the API tells them. */
export function progress(...states: object[]) {
  const text = states.map(
    (state, at) => `event: progress\nid: ${at}\ndata: ${JSON.stringify(state)}\n\n`,
  )
  return new HttpResponse(text.join(''), { headers: { 'Content-Type': 'text/event-stream' } })
}

const interval = { low: 0.4, high: 0.9 }

export const METRICS = {
  precision_at_k: 0.2,
  recall_at_k: 0.75,
  hit_rate_at_k: 0.8,
  mrr: 0.7,
  map: 0.6,
  ndcg_at_k: 0.65,
  k: 5,
  cases: 3,
  missing_chunks: 0,
  intervals: { recall_at_k: interval },
}

export function judged(mean: number, parsed: number): Schema<'JudgedMean'> {
  return {
    mean,
    interval,
    mean_of_parsed: parsed ? mean : null,
    interval_of_parsed: null,
    scored: 3,
    parsed,
    total: 3,
    coverage: parsed / 3,
  }
}

export function generation(parsed: number): Schema<'GenerationMetrics'> {
  const mean = parsed ? 0.9 : 0
  return {
    mean_faithfulness: mean,
    mean_answer_relevancy: mean,
    faithfulness: judged(mean, parsed),
    answer_relevancy: judged(mean, parsed),
  }
}

export function run(changes: Partial<Schema<'RunView'>> = {}): Schema<'RunView'> {
  return {
    id: 'r1',
    name: 'lab v1 #1',
    dataset_id: 'd1',
    dataset_name: 'lab',
    dataset_version: 1,
    status: 'completed',
    k: 5,
    evaluation_type: 'full_rag',
    retrieval: 'text',
    embedding_model: null,
    answer_model: 'offline:extractive',
    judge_model: 'offline:rules',
    prompt_version: 'rules-2',
    app_version: null,
    cases: 3,
    done: 3,
    metrics: METRICS,
    mean_faithfulness: 0.9,
    mean_answer_relevancy: 0.9,
    summary: {
      metrics: METRICS,
      generation: generation(3),
      failed: 0,
      prompt_tokens: 100,
      completion_tokens: 20,
      cost_usd: 0.0012,
      mean_latency_ms: 12,
      criteria: [],
    },
    error_message: null,
    waits_for: null,
    waits_until: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...changes,
  }
}
